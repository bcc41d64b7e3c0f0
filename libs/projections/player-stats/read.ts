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

/** A player's figures in one game, or with `game: null` over all; null for a wallet the projection has not seen. */
export async function readPlayerStats(
  db: Db,
  o: { readonly wallet: string; readonly game: string | null },
): Promise<PlayerStats | null> {
  const { rows } = await db.query<{
    public_id: string;
    nickname: string | null;
    games: string;
    wins: string;
    staked: string;
    won: string;
    biggest_win: string;
  }>({
    name: 'read-player-stats',
    text: `select public_id, nickname, coalesce(sum(games), 0) as games, coalesce(sum(wins), 0) as wins,
        coalesce(sum(staked), 0) as staked, coalesce(sum(won), 0) as won,
        coalesce(max(biggest_win), 0) as biggest_win
      from projections.player_stats_players_v1 as player
      left join projections.player_stats_v1 as stats
        on stats.wallet = player.wallet and ($2::text is null or game = $2)
      where player.wallet = $1 group by public_id, nickname`,
    values: [o.wallet, o.game],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    publicId: row.public_id,
    nickname: row.nickname,
    games: Number(row.games),
    wins: Number(row.wins),
    stakedMinor: BigInt(row.staked),
    wonMinor: BigInt(row.won),
    biggestWinMinor: BigInt(row.biggest_win),
  };
}

/** Sums over all players and games. */
export interface AllStats {
  readonly players: number;
  readonly games: number;
  readonly wonMinor: bigint;
}

/** Reads every row: for a figure that is kept for a while, not for each request. */
export async function readAllStats(db: Db): Promise<AllStats> {
  const { rows } = await db.query<{ players: string; games: string; won: string }>({
    name: 'read-all-stats',
    text: `select (select count(*) from projections.player_stats_players_v1) as players,
        coalesce(sum(games), 0) as games, coalesce(sum(won), 0) as won
      from projections.player_stats_v1`,
  });
  const { players = '0', games = '0', won = '0' } = rows[0] ?? {};
  return { players: Number(players), games: Number(games), wonMinor: BigInt(won) };
}
