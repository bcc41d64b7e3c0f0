import { assert } from '@reelbook/ledger/assert';
import type { Asset } from '@reelbook/ledger/money';
import { type Db, NotThereYet, reachedSql } from '../projection.ts';
import { postings } from './projection.ts';

export const STATEMENT_LINES_MAX = 500;
export const ACCOUNTS_MAX = 500;

/** An account as `postings` of the ledger names it: `player:<wallet>`, `house`, `fees`, `withdrawals` or `chain`. */
export interface AccountOf {
  readonly account: string;
  readonly asset: Asset;
}

/** A balance as of a position, and the event that left it there; position 0: the account was never moved. */
export interface BalanceAt {
  readonly balanceMinor: bigint;
  readonly since: number;
}

export interface StatementLine {
  readonly position: number;
  readonly deltaMinor: bigint;
  readonly afterMinor: bigint;
}

export interface AccountBalance extends AccountOf, BalanceAt {}

const REACHED = reachedSql(postings);

/** What an account held once the event at `position` was in. Throws `NotThereYet`. */
export async function readBalanceAt(
  db: Db,
  o: AccountOf & { readonly position: number },
): Promise<BalanceAt> {
  const { rows } = await db.query<{ reached: number | null; after: string; position: number }>({
    name: 'read-balance-at',
    text: `select reached, coalesce(last.after, 0) as after, coalesce(last.position, 0) as position
      from ${REACHED} as checkpoint(reached)
      left join lateral (
        select after, position from projections.postings_v1
        where account = $1 and asset = $2 and position <= $3
        order by position desc limit 1) as last on true`,
    values: [o.account, o.asset, o.position],
  });
  const row = rows[0];
  if (!row || (row.reached ?? 0) < o.position) throw new NotThereYet('postings', o.position);
  return { balanceMinor: BigInt(row.after), since: row.position };
}

/** An account's movements, newest first; `before` is the position of the last line of the page before. */
export async function readStatement(
  db: Db,
  o: AccountOf & { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly StatementLine[]> {
  assert(o.limit >= 1 && o.limit <= STATEMENT_LINES_MAX, 'a limit');
  const { rows } = await db.query<{ position: number; delta: string; after: string }>({
    name: 'read-statement',
    text: `select position, delta, after from projections.postings_v1
      where account = $1 and asset = $2 and position < $3 order by position desc limit $4`,
    values: [o.account, o.asset, o.before ?? Number.MAX_SAFE_INTEGER, o.limit],
  });
  return rows.map(({ position, delta, after }) => ({
    position,
    deltaMinor: BigInt(delta),
    afterMinor: BigInt(after),
  }));
}

/**
 * Every account that was ever moved up to `position`, with what it held then, by account and asset: the whole trial
 * balance, a page at a time. `after` is the last entry of the page before. One look-up an account, however many
 * postings there are. Throws `NotThereYet`.
 */
export async function readAccountsAt(
  db: Db,
  o: {
    readonly position: number;
    readonly after?: AccountOf | undefined;
    readonly limit: number;
  },
): Promise<readonly AccountBalance[]> {
  assert(o.limit >= 1 && o.limit <= ACCOUNTS_MAX, 'a limit');
  const { rows } = await db.query<{
    reached: number | null;
    account: string | null;
    asset: Asset;
    after: string;
    position: number;
  }>({ name: 'read-accounts-at', text: ACCOUNTS_AT, values: accountsValues(o) });
  if ((rows[0]?.reached ?? 0) < o.position) throw new NotThereYet('postings', o.position);
  return rows.flatMap(({ account, asset, after, position }) =>
    account === null ? [] : [{ account, asset, balanceMinor: BigInt(after), since: position }],
  );
}

function accountsValues(o: Parameters<typeof readAccountsAt>[1]) {
  return [o.after?.account ?? '', o.after?.asset ?? '', o.position, o.limit];
}

/** Steps through the index from one account to the next, not through the rows between. */
const ACCOUNTS_AT = `
  with recursive moved as (
    (select account, asset from projections.postings_v1
      where (account, asset) > ($1, $2) order by account, asset limit 1)
    union all
    select next.account, next.asset from moved, lateral (
      select account, asset from projections.postings_v1
      where (account, asset) > (moved.account, moved.asset)
      order by account, asset limit 1) as next
  ), held as (
    select moved.account, moved.asset, last.after, last.position
    from moved, lateral (
      select after, position from projections.postings_v1 as posting
      where posting.account = moved.account and posting.asset = moved.asset
        and posting.position <= $3
      order by position desc limit 1) as last
    limit $4
  )
  select reached, held.* from ${REACHED} as checkpoint(reached) left join held on true`;
