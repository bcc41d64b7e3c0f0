import type {
  Board as ApiBoard,
  HomeFigureName,
  HomeFigures,
  Leader,
  RecentWin,
} from '@reelbook/contract/player/public';
import { readHead } from '@reelbook/event-store/read-log';
import { toNumber } from '@reelbook/ledger/money';
import { type Board, readLeaderboard } from '@reelbook/projections/leaderboards/projection';
import { readAllStats } from '@reelbook/projections/player-stats/projection';
import { readRecentWins } from '@reelbook/projections/recent-wins/projection';
import type pg from 'pg';
import type { Gateway, GatewaySettings } from '../context.ts';
import { sharedFor } from './latest-entries.ts';

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

/** Counting reads the row of every player, so the result is cached this long. */
const COUNTED_FOR_MS = 30_000;
const SET_NAMES = ['players', 'distributed', 'availability', 'uptime'] as const;
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/**
 * The figures of the home page: configured texts, or counted in the ledger at most every COUNTED_FOR_MS. Before the first round they
 * are counted in any case, so that a ledger without players does not claim them.
 */
export function openHomeFigures(
  pool: pg.Pool,
  set: GatewaySettings['homeFigures'] = 'live',
): () => Promise<HomeFigures> {
  const counted = sharedFor(COUNTED_FOR_MS, () => count(pool));
  if (set === 'live') return async () => (await counted()).figures;
  const figures = SET_NAMES.map((name, index) => ({ name, text: set[index] ?? '' }));
  let hasRounds = false;
  return async () => {
    if (!hasRounds) {
      const { games, figures: first } = await counted();
      hasRounds = games > 0;
      if (!hasRounds) return first;
    }
    return { live: false, figures };
  };
}

async function count(pool: pg.Pool): Promise<{ games: number; figures: HomeFigures }> {
  const [{ players, games, wonMinor }, { position }] = await Promise.all([
    readAllStats(pool),
    readHead(pool),
  ]);
  const counted: readonly (readonly [HomeFigureName, number])[] = [
    ['players', players],
    ['distributed', toNumber('points', wonMinor)],
    ['rounds', games],
    ['events', position],
  ];
  const figures = counted.map(([name, n]) => ({ name, text: COMPACT.format(n) }));
  return { games, figures: { live: true, figures } };
}
