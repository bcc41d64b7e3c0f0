import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import type { HoldCode } from '@reelbook/ledger/holds';
import { sql } from 'kysely';
import type pg from 'pg';
import { keyOf } from './movements.ts';

/** Reasons that need a person. The others end when sums, limits per hour or day, or the chain allow it. */
const NEED_A_PERSON: readonly HoldCode[] = [
  'paused',
  'open-finding',
  'state-differs',
  'needs-operators',
  'not-confirmed',
  'no-key',
  'not-taken',
  'integrity',
  'treasury-short',
  'treasury-unexplained',
  'treasury-low-on-sol',
  'end-uncertain',
];

/** Open withdrawals that wait for a person, or are older than an hour: by reason, `in progress` without one. */
export async function readWaitingWithdrawals(
  pool: pg.Pool,
): Promise<readonly { readonly reason: string; readonly count: number }[]> {
  const reason = sql<string>`coalesce(hold.code, 'in progress')`;
  const waiting = tables
    .selectFrom('projections.withdrawals_v1 as own')
    .leftJoin('withdrawal_wait_reasons as hold', 'hold.withdrawal', 'own.withdrawal')
    .select([reason.as('reason'), sql<number>`count(*)::int`.as('count')])
    .where(sql<boolean>`own.status in ('requested', 'approved', 'signed')`)
    .where(({ or, eb }) =>
      or([
        eb('hold.code', '=', anyOf('text', NEED_A_PERSON)),
        sql<boolean>`own.requested_at < now() - interval '1 hour'`,
      ]),
    )
    .groupBy(reason);
  return rowsOf(pool, waiting, 'read-waiting-withdrawals');
}

/** The number of unmatched deposits without a resolution. */
export async function readWaitingDeposits(pool: pg.Pool): Promise<number> {
  const unmatched = tables
    .selectFrom('treasury_movements')
    .select([sql<number>`count(*)::int`.as('count')])
    .where(sql<boolean>`kind = 'unmatched' and recorded`)
    .where(sql<boolean>`not exists (select from idempotency_keys where key = ${keyOf('resolve')})`);
  return (await rowOf(pool, unmatched, 'read-waiting-deposits'))?.count ?? 0;
}

/** Transactions that have waited for a minute to be read or confirmed, by reason. */
export async function readWaitingMovements(
  pool: pg.Pool,
): Promise<readonly { readonly reason: string; readonly count: number }[]> {
  const reason = sql<string>`coalesce(reason, 'unreadable')`;
  const waiting = tables
    .selectFrom('treasury_movements')
    .select([reason.as('reason'), sql<number>`count(*)::int`.as('count')])
    .where(sql<boolean>`not recorded and seen_at < now() - interval '1 minute'`)
    .groupBy(reason);
  return rowsOf(pool, waiting, 'read-waiting-movements');
}
