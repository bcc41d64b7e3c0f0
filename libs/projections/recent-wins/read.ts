import { rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import type { Db } from '../projection.ts';

const RECENT_WINS_LIMIT_MAX = 100;

export interface RecentWin {
  readonly position: number;
  readonly round: string;
  readonly game: string;
  readonly publicId: string;
  /** The player's current nickname. */
  readonly nickname: string | null;
  readonly stakeMinor: bigint;
  readonly payoutMinor: bigint;
  readonly createdAt: string;
}

/** The latest wins that were big when they happened, newest first. */
export async function readRecentWins(
  db: Db,
  options: { readonly limit: number },
): Promise<RecentWin[]> {
  assert(options.limit >= 1 && options.limit <= RECENT_WINS_LIMIT_MAX, 'a limit');
  const wins = tables
    .selectFrom('projections.recent_wins_v2 as win')
    .innerJoin('projections.recent_wins_players_v2 as player', 'player.wallet', 'win.wallet')
    .select(['win.position', 'round', 'game', 'public_id as publicId', 'nickname'])
    .select(['stake', 'payout', 'created_at as createdAt'])
    .orderBy('win.position', 'desc')
    .limit(options.limit);
  const rows = await rowsOf(db, wins, 'read-recent-wins');
  return rows.map(({ stake, payout, ...win }) => ({
    ...win,
    stakeMinor: BigInt(stake),
    payoutMinor: BigInt(payout),
  }));
}
