import { assert } from '@reelbook/ledger/assert';
import type { Db } from '../projection.ts';
import type { WithdrawalStatus } from './fold.ts';
import { readWithdrawal, type Withdrawal } from './read.ts';

const PAGE_LIMIT_MAX = 200;

/** Which withdrawals a page is of. `open`: neither paid nor released. */
export interface WithdrawalsOf {
  readonly status: WithdrawalStatus | 'open' | 'all';
  readonly wallet?: string | undefined;
}

/**
 * A page of withdrawals, by when they were asked for: open ones the oldest first, others the newest first. `beyond` is
 * the last of the page before.
 */
export async function readWithdrawalsPage(
  db: Db,
  o: WithdrawalsOf & { readonly beyond?: string | undefined; readonly limit: number },
): Promise<readonly Withdrawal[]> {
  assert(o.limit >= 1 && o.limit <= PAGE_LIMIT_MAX, 'a limit');
  const { rows } = await db.query<{ withdrawal: string }>(
    o.status === 'open' ? OLDEST_FIRST : NEWEST_FIRST,
    [...(o.status === 'open' ? [] : [o.status]), o.wallet ?? null, o.beyond ?? null, o.limit],
  );
  const page = await Promise.all(rows.map(({ withdrawal }) => readWithdrawal(db, withdrawal)));
  return page.filter((one) => one !== null);
}

const OLDEST_FIRST = `
  select withdrawal from projections.withdrawals_v1
  where status in ('requested', 'approved', 'signed') and ($1::text is null or wallet = $1)
    and ($2::text is null or (requested_at, withdrawal) > (
      select requested_at, withdrawal from projections.withdrawals_v1 where withdrawal = $2))
  order by requested_at, withdrawal limit $3`;

const NEWEST_FIRST = `
  select withdrawal from projections.withdrawals_v1
  where ($1 = 'all' or status = $1) and ($2::text is null or wallet = $2)
    and ($3::text is null or (requested_at, withdrawal) < (
      select requested_at, withdrawal from projections.withdrawals_v1 where withdrawal = $3))
  order by requested_at desc, withdrawal desc limit $4`;
