import { rowOf, tables } from '@reelbook/event-store/query';
import { sql } from 'kysely';
import type { Db } from '../projection.ts';

/** Over settled rounds; a win is a round that paid anything. */
export interface PlayerStats {
  readonly publicId: string;
  readonly nickname: string | null;
  readonly games: number;
  readonly wins: number;
  readonly stakedMinor: bigint;
  readonly wonMinor: bigint;
  readonly biggestWinMinor: bigint;
}

/** A player's figures in one game, or in all with `game: null`; null for an unknown wallet. */
export async function readPlayerStats(
  db: Db,
  options: { readonly wallet: string; readonly game: string | null },
): Promise<PlayerStats | null> {
  const own = tables
    .selectFrom('projections.player_stats_players_v1 as player')
    .leftJoin('projections.player_stats_v1 as stats', (join) =>
      join
        .onRef('stats.wallet', '=', 'player.wallet')
        .on(sql<boolean>`(${options.game}::text is null or stats.game = ${options.game})`),
    )
    .select([
      'public_id as publicId',
      'nickname',
      sql<number>`coalesce(sum(games), 0)::bigint`.as('games'),
      sql<number>`coalesce(sum(wins), 0)::bigint`.as('wins'),
      sql<string>`coalesce(sum(staked), 0)`.as('staked'),
      sql<string>`coalesce(sum(won), 0)`.as('won'),
      sql<string>`coalesce(max(biggest_win), 0)`.as('biggest'),
    ])
    .where('player.wallet', '=', options.wallet)
    .groupBy(['public_id', 'nickname']);
  const row = await rowOf(db, own, 'read-player-stats');
  if (!row) return null;
  const { staked, won, biggest, ...figures } = row;
  return {
    ...figures,
    stakedMinor: BigInt(staked),
    wonMinor: BigInt(won),
    biggestWinMinor: BigInt(biggest),
  };
}

/** Sums over all players and games. */
export interface AllStats {
  readonly players: number;
  readonly games: number;
  readonly wonMinor: bigint;
}

/** Reads every row: for a cached figure, not for each request. */
export async function readAllStats(db: Db): Promise<AllStats> {
  const all = tables
    .selectFrom('projections.player_stats_v1')
    .select([
      sql<number>`(select count(*) from projections.player_stats_players_v1)`.as('players'),
      sql<number>`coalesce(sum(games), 0)::bigint`.as('games'),
      sql<string>`coalesce(sum(won), 0)`.as('won'),
    ]);
  const { players = 0, games = 0, won = '0' } = (await rowOf(db, all, 'read-all-stats')) ?? {};
  return { players, games, wonMinor: BigInt(won) };
}
