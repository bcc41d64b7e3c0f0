import { FILTERED_MAX } from '@reelbook/contract/common';
import type { ProvenRound } from '@reelbook/contract/player/fairness';
import { DEFAULT_LINES, type SlotStats } from '@reelbook/contract/player/games';
import type { GameConfig, GameConfigs } from '@reelbook/contract/player/public';
import type { DataOf } from '@reelbook/contract/player/routes';
import { fractionText, percent } from '@reelbook/games/fraction';
import type { Game } from '@reelbook/games/game';
import { TICKS_MAX } from '@reelbook/games/timed';
import { Refused } from '@reelbook/http/routes';
import { assert } from '@reelbook/ledger/assert';
import { type Config, isGameOpen } from '@reelbook/ledger/config/config';
import { toNumber } from '@reelbook/ledger/money';
import { readFilteredRounds } from '@reelbook/projections/entries/history';
import { type Round, readRound, readRounds } from '@reelbook/projections/entries/rounds';
import { readPlayerStats } from '@reelbook/projections/player-stats/projection';
import { readServerSeed } from '@reelbook/projections/seeds/projection';
import { roundAnswer } from '../answers/rounds.ts';
import type { Gateway, Request } from '../context.ts';
import { answerable } from './answerable.ts';
import { readPlayer } from './player.ts';
import { readNewRound } from './recent.ts';
import type { PageOf } from './transactions.ts';

type Reader = Pick<Gateway, 'pool'>;

export async function readRoundPage(
  { pool, games }: Pick<Gateway, 'pool' | 'games'>,
  options: PageOf &
    Omit<Request<'gameHistory'>['query'], 'page' | 'page_size'> & {
      /** Null: of all games. */
      readonly game: string | null;
    },
): Promise<DataOf<'slotHistory'>> {
  const { wallet, game, status: state, from, to, page, pageSize: limit } = options;
  const isAll = [state, from, to].every((part) => part === undefined);
  const filter = { state, from, to, skip: (page - 1) * limit, limit, max: FILTERED_MAX };
  const { items, total } =
    isAll && game !== null
      ? await readRounds(pool, { ...options, game })
      : await answerable(readFilteredRounds(pool, { wallet, game: game ?? undefined, ...filter }));
  const rounds = items.flatMap((row) => roundAnswer(row, games) ?? []);
  return { items: rounds, page: options.page, page_size: options.pageSize, total };
}

/**
 * One of the player's own rounds; rounds of others are not found. Its server seed is included when it is revealed, that is
 * no longer active.
 */
export async function readProvenRound(
  { pool, vault, games }: Pick<Gateway, 'pool' | 'vault' | 'games'>,
  options: { readonly wallet: string; readonly round: string },
): Promise<ProvenRound> {
  const { row, serverSeed } = await readOwnRound({ pool, vault }, options);
  const round = roundAnswer(row, games);
  if (!round) throw noSuchRound();
  return { ...round, server_seed: serverSeed };
}

/** One of the player's own rounds, also an open one, with its server seed: null until it is revealed. */
export async function readOwnRound(
  { pool, vault }: Pick<Gateway, 'pool' | 'vault'>,
  options: { readonly wallet: string; readonly round: string },
): Promise<{ row: Round; serverSeed: string | null }> {
  const { state, version } = await readPlayer({ pool }, options.wallet);
  const known = await readRound(pool, options.round);
  const row = known?.settled
    ? known
    : ((await readNewRound(pool, { ...options, version })) ?? known);
  if (row?.wallet !== options.wallet) throw noSuchRound();
  const { serverSeedHash: hash } = row;
  if (hash === state.seeds?.activeHash) return { row, serverSeed: null };
  return { row, serverSeed: (await readServerSeed(pool, hash)) ?? (await vault.open(hash)) };
}

function noSuchRound(): Refused {
  return new Refused({ failed: 'not-found', detail: { what: 'you have no such round' } });
}

export async function readGameStats(
  { pool }: Reader,
  options: { readonly wallet: string; readonly game: string | null },
): Promise<SlotStats> {
  const stats = await readPlayerStats(pool, options);
  const { games = 0, wins = 0 } = stats ?? {};
  const { stakedMinor = 0n, wonMinor = 0n, biggestWinMinor = 0n } = stats ?? {};
  return {
    total_games: games,
    total_wins: wins,
    win_rate: games === 0 ? 0 : Math.round((10_000 * wins) / games) / 100,
    total_win: toNumber('points', wonMinor),
    biggest_win: toNumber('points', biggestWinMinor),
    total_bet: toNumber('points', stakedMinor),
    net: toNumber('points', wonMinor - stakedMinor),
  };
}

const computed = new WeakMap<Config, GameConfigs>();

/** Limits and odds of every game in the current configuration, computed once per configuration. */
export function readGameConfigs(gateway: Gateway): GameConfigs {
  const { config } = gateway.config.current();
  const known = computed.get(config) ?? configsOf(gateway, config);
  computed.set(config, known);
  return known;
}

function configsOf({ games, settings }: Gateway, config: Config): GameConfigs {
  const all = games.map((game) => [game.apiKey, configOf(game, config, settings.gameTickMs)]);
  return Object.fromEntries(all) as GameConfigs;
}

function configOf(game: Game, config: Config, tickMs: number): GameConfig {
  const limits = config.games[game.id];
  assert(limits, `${game.id} is configured`);
  const odds = game.odds(limits.rules);
  const [minBet, maxBet] = [limits.minStakeMinor, limits.maxStakeMinor].map((minor) =>
    toNumber('points', minor),
  ) as [number, number];
  const { timed, choice } = game;
  return {
    title: game.title,
    min_bet: minBet,
    max_bet: maxBet,
    max_win: toNumber('points', odds.maxWinMinor),
    default_lines: Math.min(DEFAULT_LINES, limits.maxLines),
    enabled: isGameOpen(config, game.id),
    rules: limits.rules,
    rules_text: odds.rulesText,
    rules_hash: odds.rulesHash,
    return: { fraction: fractionText(odds.expectedReturn), percent: percent(odds.expectedReturn) },
    hit_rate_percent: percent(odds.hitRate),
    paytable: odds.paytable.map(({ row, symbols, multiple, weight, of, odds }) => {
      return { row, symbols: [...symbols], multiple, weight, of, odds };
    }),
    return_by_bet: odds.returnByBet(minBet, maxBet).map(({ fromBet, toBet, low, high }) => ({
      from_bet: fromBet,
      to_bet: toBet,
      percent_low: percent(low),
      percent_high: percent(high),
    })),
    timed: timed && {
      fee: minBet,
      tick_ms: tickMs,
      ticks_max: TICKS_MAX,
      end_percent: timed.endPercent(limits.rules),
      fields: { ...timed.fields },
    },
    ...(choice && { choice: { fields: { ...choice.fields }, initial: choice.initial } }),
  };
}
