import { rowOf, tables } from '@reelbook/event-store/query';
import type { Db } from '../projection.ts';

export interface PlayerBalances {
  readonly pointsMinor: bigint;
  readonly tokenMinor: bigint;
  /** Version of the player's stream, and the position, of the last event included in these balances. */
  readonly version: number;
  readonly position: number;
}

/** A player's balances at the position that the projection has reached, or null for an unknown wallet. */
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
