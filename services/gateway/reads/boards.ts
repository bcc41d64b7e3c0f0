import type { Board as ApiBoard, Leader, RecentWin } from '@reelbook/contract/player/public';
import { toNumber } from '@reelbook/ledger/money';
import { type Board, readLeaderboard } from '@reelbook/projections/leaderboards/projection';
import { readRecentWins } from '@reelbook/projections/recent-wins/projection';
import type { Gateway } from '../context.ts';

const LEADERS_SHOWN = 50;

type Reader = Pick<Gateway, 'pool'>;

/** The specification names the paths; its "deposit" board ranks earnings. */
const boards: Readonly<Record<ApiBoard, Board>> = {
  deposit: 'earnings',
  wins: 'wins',
  points: 'points',
};

export async function readLeaders({ pool }: Reader, board: ApiBoard): Promise<Leader[]> {
  const entries = await readLeaderboard(pool, { board: boards[board], limit: LEADERS_SHOWN });
  return entries.map(({ rank, nickname, publicId, wins, earningsMinor, pointsMinor }) => ({
    rank,
    nickname,
    public_id: publicId,
    amount:
      board === 'wins'
        ? wins
        : toNumber('points', board === 'points' ? pointsMinor : earningsMinor),
  }));
}

export async function readRecent({ pool }: Reader, limit: number): Promise<RecentWin[]> {
  const wins = await readRecentWins(pool, { limit });
  return wins.map((win) => ({
    id: win.round,
    game_type: win.game.replaceAll('-', '_'),
    user_nickname: win.nickname,
    user_id: win.publicId,
    win_amount: toNumber('points', win.payoutMinor),
    bet_amount: toNumber('points', win.stakeMinor),
    multiple: Number(win.payoutMinor) / Number(win.stakeMinor),
    created_at: win.createdAt,
    position: win.position,
  }));
}
