import { assert } from '@reelbook/ledger/assert';
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

interface Row {
  public_id: string;
  nickname: string | null;
  earnings: string;
  wins: number;
  points: string;
}

/** The best of a board, best first. Who has 0 there is not on it. */
export async function readLeaderboard(
  db: Db,
  o: { readonly board: Board; readonly limit: number },
): Promise<LeaderboardEntry[]> {
  assert(o.limit >= 1 && o.limit <= LEADERBOARD_LIMIT_MAX, 'a limit');
  const { rows } = await db.query<Row>({
    name: `read-leaderboard-${o.board}`,
    text: `select public_id, nickname, earnings, wins, points from projections.leaderboards_v1
      where ${o.board} > 0 order by ${o.board} desc, public_id limit $1`,
    values: [o.limit],
  });
  return rows.map((row, index) => ({
    rank: index + 1,
    publicId: row.public_id,
    nickname: row.nickname,
    earningsMinor: BigInt(row.earnings),
    wins: row.wins,
    pointsMinor: BigInt(row.points),
  }));
}
