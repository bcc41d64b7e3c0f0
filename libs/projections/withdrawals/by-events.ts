/**
 * Withdrawals as operators see them before they decide, by the events of their players. A row of the read model is
 * only a place to look.
 */
import { tables } from '@reelbook/event-store/query';
import { openHistories } from '@reelbook/event-store/read-stream';
import type { ProjectionsWithdrawalsV1 as Row } from '@reelbook/event-store/tables';
import { assert } from '@reelbook/ledger/assert';
import { canonical } from '@reelbook/ledger/codec';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { PAYMENT_EVENTS, type PaymentEvent } from '@reelbook/ledger/player/payment-events';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { fold } from './fold.ts';

export const WITHDRAWALS = tables.selectFrom('projections.withdrawals_v1').selectAll();

export interface ShownWithdrawal {
  /** As the events have it; the row of the read model only if they have none. */
  readonly shown: Row;
  /** The row is not, and never was, what the events give. */
  readonly differs: boolean;
  /** All withdrawals of the player, and the payments and standing that they follow from. */
  readonly ofPlayer: readonly Row[];
  readonly events: readonly RecordedEvent[];
}

/** The payments of players, and the events that give their standing, by stream. */
export const readHistories = openHistories([
  ...(Object.keys(PAYMENT_EVENTS) as PaymentEvent['type'][]),
  ...(['PlayerSuspended', 'PlayerReinstated', 'SelfExcluded'] as const),
]);

export async function showByEvents(
  pool: pg.Pool,
  rows: readonly Row[],
): Promise<readonly ShownWithdrawal[]> {
  const histories = await readHistories(
    pool,
    rows.map(({ wallet }) => playerStream(wallet)),
  );
  return rows.map((row) => {
    const events = histories.get(playerStream(row.wallet)) ?? [];
    const own = rowsBy(events);
    const found = own.get(row.withdrawal);
    const shown = found ?? row;
    return { shown, differs: !found || differs(row, found), ofPlayer: [...own.values()], events };
  });
}

/** The rows that `apply` would write. */
function rowsBy(events: readonly RecordedEvent[]): ReadonlyMap<string, Row> {
  const { requested, steps } = fold(events);
  const rows = new Map(
    requested.map(({ to, netMinor, feeMinor, requestedAt, ...one }): [string, Row] => {
      const amounts = { to_address: to, net: netMinor.toString(), fee: feeMinor.toString() };
      const times = { requested_at: requestedAt, updated_at: requestedAt, automatic_at: null };
      const begun = { status: 'requested', approved_by: [], attempts: 0, reason: null };
      return [one.withdrawal, { ...one, ...amounts, ...times, ...begun, ...NO_ATTEMPT }];
    }),
  );
  for (const step of steps) {
    const row = rows.get(step.withdrawal);
    assert(row, 'a withdrawal begins with its request');
    const approved = step.approvals === 1 ? [] : row.approved_by;
    rows.set(step.withdrawal, {
      ...row,
      status: step.status ?? row.status,
      approved_by: step.approvedBy === null ? approved : [...approved, step.approvedBy],
      automatic_at: step.automatic ? step.at : row.automatic_at,
      attempts: step.attempt ?? row.attempts,
      signature: step.signature ?? row.signature,
      transaction: step.transaction ?? row.transaction,
      last_valid_block_height: step.lastValidBlockHeight ?? row.last_valid_block_height,
      signed_slot: step.slot ?? row.signed_slot,
      reason: step.reason ?? row.reason,
      updated_at: step.at,
      position: step.position,
    });
  }
  return rows;
}

const NO_ATTEMPT = {
  ...{ signature: null, transaction: null, last_valid_block_height: null, signed_slot: null },
};

/** The read model may be behind: then only what no later event changes is compared. */
function differs(row: Row, found: Row): boolean {
  if (row.position > found.position) return true;
  const { withdrawal, wallet, to_address, net, fee, requested_at } = found;
  const constant = { withdrawal, wallet, to_address, net, fee, requested_at };
  const expected = row.position === found.position ? found : constant;
  return canonical(row) !== canonical({ ...row, ...expected });
}
