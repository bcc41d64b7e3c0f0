import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';

const UNMATCHED_PAGE_MAX = 200;

/** A deposit that nobody could be given and nobody has resolved. */
export interface Unmatched {
  readonly signature: string;
  readonly tokenAccount: string;
  readonly slot: number;
  readonly amountMinor: bigint;
  readonly sender: string | null;
  readonly reason: string | null;
  /** Of its event. */
  readonly position: number | null;
  readonly seenAt: string;
}

interface Row {
  signature: string;
  token_account: string;
  slot: number;
  delta: string;
  sender: string | null;
  reason: string | null;
  position: number | null;
  seen_at: string;
}

/** The queue, the oldest first; `after` is the signature that the page before ended with. */
export async function readUnmatchedPage(
  pool: pg.Pool,
  o: { readonly after?: string | undefined; readonly limit: number },
): Promise<readonly Unmatched[]> {
  assert(o.limit >= 1 && o.limit <= UNMATCHED_PAGE_MAX, 'a limit');
  const { rows } = await pool.query<Row>(PAGE, [o.after ?? null, o.limit]);
  return rows.map(({ token_account: tokenAccount, delta, seen_at: seenAt, ...row }) => ({
    ...row,
    tokenAccount,
    amountMinor: BigInt(delta),
    seenAt,
  }));
}

/** What stands in the book says whether one was resolved: the idempotency key of its resolution. */
const PAGE = `
  select signature, token_account, slot, delta::text, sender, reason, seen_at,
    (select position from idempotency_keys
      where key = idempotency_key('deposit:' || signature || ':' || token_account)) as position
  from treasury_movements as movement
  where kind = 'unmatched' and recorded and not exists (select from idempotency_keys
      where key = idempotency_key('resolve:' || signature || ':' || token_account))
    and ($1::text is null or (seen_at, signature) > (
      select seen_at, signature from treasury_movements where signature = $1 limit 1))
  order by seen_at, signature limit $2`;
