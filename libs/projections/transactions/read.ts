import { assert } from '@reelbook/ledger/assert';
import type { Asset } from '@reelbook/ledger/money';
import type { Db, Page } from '../projection.ts';
import type { MovementStatus, MovementType } from './fold.ts';

export const TRANSACTIONS_PAGE_SIZE_MAX = 100;

export interface Transaction {
  /** Position of the event that moved the money: with the asset unique over all players. */
  readonly position: number;
  readonly type: MovementType;
  readonly asset: Asset;
  /** Signed: what the player gained. */
  readonly amountMinor: bigint;
  readonly balanceAfterMinor: bigint;
  readonly game: string | null;
  readonly round: string | null;
  readonly status: MovementStatus;
  readonly withdrawal: string | null;
  readonly signature: string | null;
  readonly createdAt: string;
}

interface Row {
  position: number;
  type: MovementType;
  asset: Asset;
  amount: string;
  balance_after: string;
  game: string | null;
  round: string | null;
  status: MovementStatus;
  withdrawal: string | null;
  signature: string | null;
  created_at: string;
}

/** A player's money movements, newest first: `limit` of them behind the first `skip`. */
export async function readTransactions(
  db: Db,
  o: { readonly wallet: string; readonly skip: number; readonly limit: number },
): Promise<Page<Transaction>> {
  assert(o.skip >= 0 && o.limit >= 0 && o.limit <= TRANSACTIONS_PAGE_SIZE_MAX, 'a page');
  const total = await countTransactions(db, o.wallet);
  const last = total - o.skip;
  if (last < 1 || o.limit === 0) return { items: [], total };
  const { rows } = await db.query<Row>({
    name: 'read-transactions',
    text: `select position, type, asset, amount, balance_after, game, round, status, withdrawal,
        signature, created_at
      from projections.transactions_v3 where wallet = $1 and n <= $2 order by n desc limit $3`,
    values: [o.wallet, last, o.limit],
  });
  return { items: rows.map(toTransaction), total };
}

async function countTransactions(db: Db, wallet: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: 'count-transactions',
    text: 'select n from projections.transactions_v3 where wallet = $1 order by n desc limit 1',
    values: [wallet],
  });
  return rows[0]?.n ?? 0;
}

function toTransaction({ amount, balance_after, created_at, ...row }: Row): Transaction {
  return {
    ...row,
    amountMinor: BigInt(amount),
    balanceAfterMinor: BigInt(balance_after),
    createdAt: created_at,
  };
}
