import type { DataOf } from '@reelbook/contract/routes';
import type { Balances } from '@reelbook/contract/schemas/common';
import { REVEALED_MAX, type RevealedSeed, type Seeds } from '@reelbook/contract/schemas/fairness';
import type { ProvenRound, SlotStats } from '@reelbook/contract/schemas/slot';
import type { Board as ApiBoard, Leader, RecentWin } from '@reelbook/contract/schemas/user';
import { loadTip, readStream } from '@reelbook/event-store/read-stream';
import { Refused } from '@reelbook/http/refused';
import { assert } from '@reelbook/ledger/assert';
import { toNumber } from '@reelbook/ledger/money';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { isRegistered, type PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import { readHolds } from '@reelbook/payments/holds';
import { readReports } from '@reelbook/payments/reports';
import { type Board, readLeaderboard } from '@reelbook/projections/leaderboards/read';
import { readPlayerStats } from '@reelbook/projections/player-stats/read';
import { readRecentWins } from '@reelbook/projections/recent-wins/read';
import { type Round, readRound, readRounds } from '@reelbook/projections/rounds/read';
import { readRevealedSeeds, readServerSeed } from '@reelbook/projections/seeds/read';
import { readTransactions } from '@reelbook/projections/transactions/read';
import type pg from 'pg';
import { balancesAnswer, revealedAnswer, seedsAnswer } from './answers.ts';
import type { Gateway } from './context.ts';
import { reportAnswer } from './payment-answers.ts';
import { readNewlyRevealed, readNewRound } from './recent.ts';
import { roundAnswer } from './round-answers.ts';
import { transactionAnswer } from './wallet-answers.ts';

const LEADERS_SHOWN = 50;

type Reader = Pick<Gateway, 'pool'>;

/** A player as the book has them now: state, version and the position of the last event in it. */
export async function readPlayer(
  { pool }: { readonly pool: pg.Pool },
  wallet: string,
): Promise<{ state: PlayerState; version: number; position: number }> {
  const stream = playerStream(wallet);
  const { state, version } = await loadTip(pool, playerDecider, stream);
  if (!isRegistered(state)) throw new Refused({ rejected: 'not-registered', detail: {} });
  const [last] = await readStream(pool, { stream, fromVersion: version, limit: 1 });
  assert(last, `${stream} has an event of its version ${version}`);
  return { state, version, position: last.position };
}

export async function readBalances(reader: Reader, wallet: string): Promise<Balances> {
  const player = await readPlayer(reader, wallet);
  return balancesAnswer(player.state, player);
}

export async function readRevealed(reader: Reader, wallet: string): Promise<RevealedSeed[]> {
  const rows = await readRevealedSeeds(reader.pool, { wallet, limit: REVEALED_MAX });
  return rows.map(revealedAnswer);
}

/** The three stages of a player's seeds, as the book has them now. */
export async function readSeeds(reader: Reader, wallet: string): Promise<Seeds> {
  const { state, version } = await readPlayer(reader, wallet);
  assert(state.seeds, 'a registered player has seeds');
  const known = await readRevealed(reader, wallet);
  const pair = known[0]?.pair ?? 0;
  if (pair >= state.seeds.pair - 1) return seedsAnswer(state.seeds, known);
  const fresh = await readNewlyRevealed(reader.pool, { wallet, version, pair });
  return seedsAnswer(state.seeds, [...fresh, ...known].slice(0, REVEALED_MAX));
}

interface PageOf {
  readonly wallet: string;
  readonly page: number;
  readonly pageSize: number;
}

export async function readTransactionPage(
  { pool }: Reader,
  o: PageOf,
): Promise<DataOf<'transactions'>> {
  // What was reported and is not in the book yet stands before all that is.
  const reports = await readReports(pool, o.wallet);
  const first = (o.page - 1) * o.pageSize;
  const shown = reports.slice(first, first + o.pageSize);
  const skip = Math.max(0, first - reports.length);
  const limit = o.pageSize - shown.length;
  const { items, total } = await readTransactions(pool, { wallet: o.wallet, skip, limit });
  const open = items.flatMap(({ withdrawal }) => withdrawal ?? []);
  const holds = open.length > 0 ? await readHolds(pool, open) : new Map<string, string>();
  const moved = items.map((row) => transactionAnswer(row, holds.get(row.withdrawal ?? '') ?? null));
  return {
    items: [...shown.map(reportAnswer), ...moved],
    page: o.page,
    page_size: o.pageSize,
    total: total + reports.length,
  };
}

export async function readRoundPage(
  { pool, games }: Pick<Gateway, 'pool' | 'games'>,
  o: PageOf & { readonly game: string },
): Promise<DataOf<'slotHistory'>> {
  const { items, total } = await readRounds(pool, o);
  const rounds = items.flatMap((row) => roundAnswer(row, games) ?? []);
  return { items: rounds, page: o.page, page_size: o.pageSize, total };
}

/**
 * A round of the player's own; anybody else's is as unknown as none. Its server seed is told as soon as the book has
 * revealed it: then it is no longer the active one.
 */
export async function readProvenRound(
  { pool, vault, games }: Pick<Gateway, 'pool' | 'vault' | 'games'>,
  o: { readonly wallet: string; readonly round: string },
): Promise<ProvenRound> {
  const { row, serverSeed } = await readOwnRound({ pool, vault }, o);
  const round = roundAnswer(row, games);
  if (!round) throw noSuchRound();
  return { ...round, server_seed: serverSeed };
}

/** A round of the player's own, open ones too, and its server seed: null until it is revealed. */
export async function readOwnRound(
  { pool, vault }: Pick<Gateway, 'pool' | 'vault'>,
  o: { readonly wallet: string; readonly round: string },
): Promise<{ row: Round; serverSeed: string | null }> {
  const { state, version } = await readPlayer({ pool }, o.wallet);
  const known = await readRound(pool, o.round);
  const row = known?.settled ? known : ((await readNewRound(pool, { ...o, version })) ?? known);
  if (row?.wallet !== o.wallet) throw noSuchRound();
  const { serverSeedHash: hash } = row;
  if (hash === state.seeds?.activeHash) return { row, serverSeed: null };
  return { row, serverSeed: (await readServerSeed(pool, hash)) ?? (await vault.open(hash)) };
}

function noSuchRound(): Refused {
  return new Refused({ failed: 'not-found', detail: { what: 'you have no such round' } });
}

export async function readGameStats(
  { pool }: Reader,
  o: { readonly wallet: string; readonly game: string },
): Promise<SlotStats> {
  const stats = await readPlayerStats(pool, o);
  const { games = 0, wins = 0 } = stats ?? {};
  const { stakedMinor = 0n, wonMinor = 0n, biggestWinMinor = 0n } = stats ?? {};
  return {
    total_games: games,
    win_rate: games === 0 ? 0 : Math.round((10_000 * wins) / games) / 100,
    total_win: toNumber('points', wonMinor),
    biggest_win: toNumber('points', biggestWinMinor),
    total_bet: toNumber('points', stakedMinor),
    net: toNumber('points', wonMinor - stakedMinor),
  };
}

/** The path's names are the specification's; "deposit" has always meant earnings. */
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
