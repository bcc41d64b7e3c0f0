import { rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import { sql } from 'kysely';
import type { Db } from '../projection.ts';

const LEADERBOARD_LIMIT_MAX = 100;

/** `earnings`: points won in all (hundredths); `wins`: rounds won (a count); `points`: the balance (hundredths). */
export type Board = 'earnings' | 'wins' | 'points';

export interface LeaderboardEntry {
  readonly rank: number;
  readonly publicId: string;
  readonly nickname: string | null;
  readonly earningsMinor: bigint;
  readonly wins: number;
  readonly pointsMinor: bigint;
}

/** The best of a board, best first. Players with 0 there are left out. */
export async function readLeaderboard(
  db: Db,
  options: { readonly board: Board; readonly limit: number },
): Promise<LeaderboardEntry[]> {
  assert(options.limit >= 1 && options.limit <= LEADERBOARD_LIMIT_MAX, 'a limit');
  const best = tables
    .selectFrom('projections.leaderboards_v1')
    .select(['public_id', 'nickname', 'earnings', 'wins', 'points'])
    .where(options.board, '>', sql.lit(0))
    .orderBy(options.board, 'desc')
    .orderBy('public_id')
    .limit(options.limit);
  const rows = await rowsOf(db, best, `read-leaderboard-${options.board}`);
  return rows.map((row, index) => ({
    rank: index + 1,
    publicId: row.public_id,
    nickname: row.nickname,
    earningsMinor: BigInt(row.earnings),
    wins: row.wins,
    pointsMinor: BigInt(row.points),
  }));
}
