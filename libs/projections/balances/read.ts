import { rowOf, tables } from '@reelbook/event-store/query';
import type { Db } from '../projection.ts';

export interface PlayerBalances {
  readonly pointsMinor: bigint;
  readonly tokenMinor: bigint;
  /** Version of the player's stream, and the position, of the last event that is in these balances. */
  readonly version: number;
  readonly position: number;
}

/** What a player owns as far as the projection has come, or null for a wallet it has not seen. */
export async function readBalances(db: Db, wallet: string): Promise<PlayerBalances | null> {
  const own = tables
    .selectFrom('projections.balances_v1')
    .select(['points', 'token', 'version', 'position'])
    .where('wallet', '=', wallet);
  const row = await rowOf(db, own, 'read-balances');
  if (!row) return null;
  const { version, position } = row;
  return { pointsMinor: BigInt(row.points), tokenMinor: BigInt(row.token), version, position };
}
