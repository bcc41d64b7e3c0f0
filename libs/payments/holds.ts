import { anyOf, rowsOf, tables } from '@reelbook/event-store/query';
import { foldedState } from '@reelbook/event-store/read-stream';
import { HOLDS, type Hold } from '@reelbook/ledger/holds';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { findingsOn } from '@reelbook/ledger/operators/findings';
import { CASHIER } from '@reelbook/ledger/player/payment-events';
import type { OpenWithdrawal } from '@reelbook/ledger/player/withdrawal-state';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { sql } from 'kysely';
import type pg from 'pg';

/**
 * Why each withdrawal waits, by its id. Omits withdrawals that have ended, and codes of another build that are unknown
 * here: the cashier of this build replaces them in its next round.
 */
export async function readHolds(
  db: pg.Pool | pg.PoolClient,
  withdrawals: readonly string[],
): Promise<ReadonlyMap<string, Hold>> {
  const waiting = tables
    .selectFrom('withdrawal_wait_reasons as hold')
    .innerJoin('projections.withdrawals_v1 as own', 'own.withdrawal', 'hold.withdrawal')
    .select(['hold.withdrawal', 'hold.code', 'hold.details as facts'])
    .where('hold.withdrawal', '=', anyOf('text', withdrawals))
    .where(sql<boolean>`own.status in ('requested', 'approved', 'signed')`);
  const rows = await rowsOf(db, waiting, 'read-holds');
  const known = rows.filter(({ code }) => Object.hasOwn(HOLDS, code));
  return new Map(known.map(({ withdrawal, ...hold }) => [withdrawal, hold as Hold]));
}

/** Stores why a withdrawal waits; null: it does not wait. @returns whether that changed. */
export async function setHold(
  db: pg.Pool | pg.PoolClient,
  withdrawal: string,
  hold: Hold | null,
): Promise<boolean> {
  const { rowCount } =
    hold === null
      ? await db.query({
          name: 'end-hold',
          text: 'delete from withdrawal_wait_reasons where withdrawal = $1',
          values: [withdrawal],
        })
      : await db.query({
          name: 'set-hold',
          text: `insert into withdrawal_wait_reasons as hold (withdrawal, code, details) values ($1, $2, $3)
            on conflict (withdrawal)
              do update set code = excluded.code, details = excluded.details, since = now()
            where (hold.code, hold.details) is distinct from (excluded.code, excluded.details)`,
          values: [withdrawal, hold.code, hold.facts],
        });
  return rowCount === 1;
}

/** Whether an open finding of an audit holds a withdrawal that operators have not approved. */
export async function isHeldByFinding(
  pool: pg.Pool,
  { wallet, approvedBy }: Pick<OpenWithdrawal, 'approvedBy'> & { readonly wallet: string },
): Promise<boolean> {
  if (!approvedBy.every((by) => by === CASHIER)) return false;
  const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
  return findingsOn(state, wallet) > 0;
}
