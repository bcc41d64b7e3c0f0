import { assert } from '@reelbook/ledger/assert';
import type { Asset } from '@reelbook/ledger/money';
import type { Db, Page } from '../projection.ts';
import type { MovementType } from './fold.ts';

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
  created_at: string;
}

/** A player's money movements, newest first. Pages count from 1. */
export async function readTransactions(
  db: Db,
  o: { readonly wallet: string; readonly page: number; readonly pageSize: number },
): Promise<Page<Transaction>> {
  assert(o.page >= 1 && o.pageSize >= 1 && o.pageSize <= TRANSACTIONS_PAGE_SIZE_MAX, 'a page');
  const total = await countTransactions(db, o.wallet);
  const last = total - (o.page - 1) * o.pageSize;
  if (last < 1) return { items: [], total };
  const { rows } = await db.query<Row>({
    name: 'read-transactions',
    text: `select position, type, asset, amount, balance_after, game, round, created_at
      from projections.transactions_v2 where wallet = $1 and n <= $2 order by n desc limit $3`,
    values: [o.wallet, last, o.pageSize],
  });
  return { items: rows.map(toTransaction), total };
}

async function countTransactions(db: Db, wallet: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: 'count-transactions',
    text: 'select n from projections.transactions_v2 where wallet = $1 order by n desc limit 1',
    values: [wallet],
  });
  return rows[0]?.n ?? 0;
}

function toTransaction(row: Row): Transaction {
  const { position, type, asset, game, round } = row;
  return {
    position,
    type,
    asset,
    amountMinor: BigInt(row.amount),
    balanceAfterMinor: BigInt(row.balance_after),
    game,
    round,
    createdAt: row.created_at,
  };
}
