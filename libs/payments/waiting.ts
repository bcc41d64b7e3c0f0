import type { HoldCode } from '@reelbook/ledger/holds';
import type pg from 'pg';

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

interface Waiting {
  readonly reason: string;
  readonly count: number;
}

/** Open withdrawals that wait for a person, or are older than an hour: by reason, `in progress` without one. */
export async function readWaitingWithdrawals(pool: pg.Pool): Promise<readonly Waiting[]> {
  const { rows } = await pool.query<Waiting>({
    name: 'read-waiting-withdrawals',
    text: `select coalesce(hold.code, 'in progress') as reason, count(*)::int as count
      from projections.withdrawals_v1 as own
      left join withdrawal_wait_reasons as hold on hold.withdrawal = own.withdrawal
      where own.status in ('requested', 'approved', 'signed')
        and (hold.code = any($1::text[]) or own.requested_at < now() - interval '1 hour')
      group by 1`,
    values: [NEED_A_PERSON],
  });
  return rows;
}

/** The number of unmatched deposits without a resolution. */
export async function readWaitingDeposits(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'read-waiting-deposits',
    text: `select count(*)::int as count from treasury_movements
      where kind = 'unmatched' and recorded and not exists (select from idempotency_keys
        where key = idempotency_key('resolve:' || signature || ':' || token_account))`,
  });
  return rows[0]?.count ?? 0;
}

/** Transactions that have waited for a minute to be read or confirmed, by reason. */
export async function readWaitingMovements(pool: pg.Pool): Promise<readonly Waiting[]> {
  const { rows } = await pool.query<Waiting>({
    name: 'read-waiting-movements',
    text: `select coalesce(reason, 'unreadable') as reason, count(*)::int as count
      from treasury_movements where not recorded and seen_at < now() - interval '1 minute'
      group by 1`,
  });
  return rows;
}
