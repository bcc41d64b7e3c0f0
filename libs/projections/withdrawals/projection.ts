import { rowOf, tables } from '@reelbook/event-store/query';
import { openHistories } from '@reelbook/event-store/read-stream';
import type { ProjectionsWithdrawalsV1 as Row } from '@reelbook/event-store/tables';
import { assert } from '@reelbook/ledger/assert';
import { canonical } from '@reelbook/ledger/codec';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { PAYMENT_EVENTS, type PaymentEvent } from '@reelbook/ledger/player/payment-events';
import { parseStream, playerStream } from '@reelbook/ledger/streams';
import { sql } from 'kysely';
import type pg from 'pg';
import { changeRows, type Db, type Projection } from '../projection.ts';

const TABLES = `
-- One row per withdrawal with its current state: what the cashier works on and operators see.
create table if not exists withdrawals_v1 (
  withdrawal text primary key,
  wallet text not null,
  to_address text not null,
  net numeric not null,
  fee numeric not null,
  status text not null,
  approved_by text[] not null,
  -- When the cashier approved it automatically: what its velocity limits count.
  automatic_at timestamptz,
  attempts int not null,
  -- Of the last attempt.
  signature text,
  transaction text,
  last_valid_block_height bigint,
  signed_slot bigint,
  -- Why it was denied, or why its last attempt failed.
  reason text,
  requested_at timestamptz not null,
  updated_at timestamptz not null,
  -- Of its last event.
  position bigint not null
);
create index if not exists withdrawals_v1_open on withdrawals_v1 (requested_at, withdrawal)
  where status in ('requested', 'approved', 'signed');
create index if not exists withdrawals_v1_automatic on withdrawals_v1 (automatic_at)
  where automatic_at is not null;
create index if not exists withdrawals_v1_signatures on withdrawals_v1 (signature)
  where signature is not null;
create index if not exists withdrawals_v1_by_time on withdrawals_v1 (requested_at, withdrawal);
create index if not exists withdrawals_v1_by_wallet on withdrawals_v1 (wallet, requested_at);
`;

export const withdrawals: Projection<WithdrawalsChanges> = {
  name: 'withdrawals',
  version: 1,
  tables: [{ name: 'withdrawals_v1', key: ['withdrawal'] }],
  tableSql: TABLES,
  fold,
  apply,
};

export type WithdrawalStatus = 'requested' | 'approved' | 'signed' | 'finalized' | 'released';

/** A withdrawal that was requested in the batch. */
export interface NewWithdrawal {
  readonly withdrawal: string;
  readonly wallet: string;
  readonly to: string;
  readonly netMinor: bigint;
  readonly feeMinor: bigint;
  readonly requestedAt: string;
  readonly position: number;
}

/** One event's changes of a withdrawal; null: unchanged. Applied in order. */
export interface Step {
  readonly withdrawal: string;
  /** Numbers the steps of one withdrawal within the batch, from 1: a statement applies one step of each. */
  readonly rank: number;
  readonly position: number;
  readonly at: string;
  readonly status: WithdrawalStatus | null;
  readonly approvedBy: string | null;
  /** Approvals that count with it: 1 if earlier ones no longer count. */
  readonly approvals: number | null;
  readonly automatic: boolean;
  readonly attempt: number | null;
  readonly signature: string | null;
  readonly transaction: string | null;
  readonly lastValidBlockHeight: number | null;
  readonly slot: number | null;
  readonly reason: string | null;
}

export interface WithdrawalsChanges {
  readonly requested: readonly NewWithdrawal[];
  readonly steps: readonly Step[];
}

function fold(events: readonly RecordedEvent[]): WithdrawalsChanges {
  const requested: NewWithdrawal[] = [];
  const steps: Step[] = [];
  const ranks = new Map<string, number>();
  for (const { event, stream, position, time: at } of events) {
    if (event.type === 'WithdrawalRequested') {
      const { withdrawal, to, netMinor, feeMinor } = event.data;
      const wallet = parseStream(stream).id;
      requested.push({ withdrawal, wallet, to, netMinor, feeMinor, requestedAt: at, position });
      continue;
    }
    const step = stepBy(event);
    if (!step) continue;
    const rank = (ranks.get(step.withdrawal) ?? 0) + 1;
    ranks.set(step.withdrawal, rank);
    steps.push({ ...NOTHING, ...step, rank, position, at });
  }
  return { requested, steps };
}

const NOTHING = {
  status: null,
  approvedBy: null,
  approvals: null,
  automatic: false,
  attempt: null,
  signature: null,
  transaction: null,
  lastValidBlockHeight: null,
  slot: null,
  reason: null,
} as const;

type StepChange = Partial<Step> & Pick<Step, 'withdrawal'>;

function stepBy(event: RecordedEvent['event']): StepChange | null {
  switch (event.type) {
    case 'WithdrawalApproved': {
      const { withdrawal, by: approvedBy, approvals, needed } = event.data;
      const status = approvals < needed ? null : ('approved' as const);
      return {
        withdrawal,
        approvedBy,
        approvals,
        status,
        automatic: approvedBy.startsWith('system:'),
      };
    }
    case 'WithdrawalSigned': {
      const { notice: _, ...signed } = event.data;
      return { status: 'signed', ...signed };
    }
    case 'WithdrawalAttemptFailed': {
      const { withdrawal, evidence: reason } = event.data;
      return { withdrawal, status: 'approved', reason };
    }
    case 'WithdrawalFinalized':
      return { withdrawal: event.data.withdrawal, status: 'finalized' };
    case 'WithdrawalReleased': {
      const { withdrawal, reason } = event.data;
      return { withdrawal, status: 'released', reason };
    }
    default:
      return null;
  }
}

async function apply(client: pg.ClientBase, changes: WithdrawalsChanges): Promise<void> {
  const { requested, steps } = changes;
  await changeRows(client, { name: 'apply-withdrawals', text: INSERT }, requested);
  const ranks = Math.max(0, ...steps.map(({ rank }) => rank));
  for (let rank = 1; rank <= ranks; rank++) {
    const nth = steps.filter((step) => step.rank === rank);
    await changeRows(client, { name: 'apply-withdrawal-steps', text: STEP }, nth);
  }
}

const INSERT = `
  insert into withdrawals_v1 (withdrawal, wallet, to_address, net, fee, status, approved_by,
    attempts, requested_at, updated_at, position)
  select withdrawal, wallet, "to", "netMinor", "feeMinor", 'requested', '{}', 0, "requestedAt",
    "requestedAt", position
  from json_to_recordset($1) as new(withdrawal text, wallet text, "to" text, "netMinor" numeric,
    "feeMinor" numeric, "requestedAt" timestamptz, position bigint)`;

const STEP = `
  update withdrawals_v1 as row set
    status = coalesce(step.status, row.status),
    approved_by = case when step.approvals = 1 then '{}' else row.approved_by end
      || array_remove(array[step."approvedBy"], null),
    automatic_at = case when step.automatic then step."at" else row.automatic_at end,
    attempts = coalesce(step.attempt, row.attempts),
    signature = coalesce(step.signature, row.signature),
    transaction = coalesce(step.transaction, row.transaction),
    last_valid_block_height = coalesce(step."lastValidBlockHeight", row.last_valid_block_height),
    signed_slot = coalesce(step.slot, row.signed_slot),
    reason = coalesce(step.reason, row.reason),
    updated_at = step."at",
    position = step.position
  from json_to_recordset($1) as step(withdrawal text, status text, "approvedBy" text,
    approvals int, automatic boolean, attempt int, signature text, transaction text,
    "lastValidBlockHeight" bigint, slot bigint, reason text, "at" timestamptz, position bigint)
  where row.withdrawal = step.withdrawal`;

/** By name: the statement is prepared, and an added column would change the result of `*`. */
const ONE = tables
  .selectFrom('projections.withdrawals_v1')
  .select(['withdrawal', 'wallet', 'to_address as to', 'net', 'fee', 'approved_by as approvedBy'])
  .select(['attempts', 'signature', 'reason'])
  .select((eb) => eb.ref('status').$castTo<WithdrawalStatus>().as('status'));

/** One by its id, or null. */
export async function readWithdrawal(db: Db, withdrawal: string) {
  const row = await rowOf(db, ONE.where('withdrawal', '=', withdrawal), 'read-withdrawal');
  return row && { ...row, netMinor: BigInt(row.net), feeMinor: BigInt(row.fee) };
}

/** The net of all that is signed and not over yet, as far as the projection has come. */
export async function readSignedMinor(db: Db): Promise<bigint> {
  const signed = tables
    .selectFrom('projections.withdrawals_v1')
    .select(sql<string>`coalesce(sum(net), 0)`.as('net'))
    .where('status', '=', sql.lit('signed'));
  return BigInt((await rowOf(db, signed, 'read-signed'))?.net ?? 0);
}

/**
 * Withdrawals as operators see them before they decide, by the events of their players. A row of the read model is
 * only a place to look.
 */

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
  signature: null,
  transaction: null,
  last_valid_block_height: null,
  signed_slot: null,
};

/** The read model may be behind: then only what no later event changes is compared. */
function differs(row: Row, found: Row): boolean {
  if (row.position > found.position) return true;
  const { withdrawal, wallet, to_address, net, fee, requested_at } = found;
  const constant = { withdrawal, wallet, to_address, net, fee, requested_at };
  const expected = row.position === found.position ? found : constant;
  return canonical(row) !== canonical({ ...row, ...expected });
}
