import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetLost, BetWon } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { applyNames, foldNames, type PlayerNames, settledBy } from '../players.ts';
import { changeRows, type Db, type Projection } from '../projection.ts';

const TABLES = `
create table if not exists player_stats_players_v1 (
  wallet text primary key,
  public_id text not null unique,
  nickname text
);
create table if not exists player_stats_v1 (
  wallet text not null,
  game text not null,
  games bigint not null,
  wins bigint not null,
  staked numeric not null,
  won numeric not null,
  biggest_win numeric not null,
  primary key (wallet, game)
);
`;

export const playerStats: Projection<StatsChanges> = {
  name: 'player-stats',
  version: 1,
  tables: [
    { name: 'player_stats_players_v1', key: ['wallet'] },
    { name: 'player_stats_v1', key: ['wallet', 'game'] },
  ],
  tableSql: TABLES,
  fold,
  apply,
};

/** A player's figures of one game in the batch. */
export interface StatsChange {
  readonly wallet: string;
  readonly game: string;
  readonly games: number;
  readonly wins: number;
  readonly stakedMinor: bigint;
  readonly wonMinor: bigint;
  readonly biggestWinMinor: bigint;
}

export interface StatsChanges {
  readonly names: readonly PlayerNames[];
  readonly stats: readonly StatsChange[];
}

export function fold(events: readonly RecordedEvent[]): StatsChanges {
  const stats = new Map<string, StatsChange>();
  for (const { event, stream } of events) {
    const settled = settledBy(event);
    if (!settled) continue;
    const key = `${stream} ${settled.data.game}`;
    stats.set(key, add(stats.get(key), parseStream(stream).id, settled));
  }
  return { names: foldNames(events), stats: [...stats.values()] };
}

function add(
  before: StatsChange | undefined,
  wallet: string,
  settled: BetWon | BetLost,
): StatsChange {
  const { game, stakeMinor } = settled.data;
  const payoutMinor = settled.type === 'BetWon' ? settled.data.payoutMinor : 0n;
  const biggest = before?.biggestWinMinor ?? 0n;
  return {
    wallet,
    game,
    games: (before?.games ?? 0) + 1,
    wins: (before?.wins ?? 0) + (payoutMinor > 0n ? 1 : 0),
    stakedMinor: (before?.stakedMinor ?? 0n) + stakeMinor,
    wonMinor: (before?.wonMinor ?? 0n) + payoutMinor,
    biggestWinMinor: payoutMinor > biggest ? payoutMinor : biggest,
  };
}

async function apply(client: pg.ClientBase, changes: StatsChanges): Promise<void> {
  await applyNames(client, 'player_stats_players_v1', changes.names);
  await changeRows(client, { name: 'apply-player-stats', text: UPSERT }, changes.stats);
}

const UPSERT = `
  insert into player_stats_v1 as stats (wallet, game, games, wins, staked, won, biggest_win)
  select wallet, game, games, wins, "stakedMinor", "wonMinor", "biggestWinMinor"
  from json_to_recordset($1) as new(wallet text, game text, games bigint, wins bigint,
    "stakedMinor" numeric, "wonMinor" numeric, "biggestWinMinor" numeric)
  on conflict (wallet, game) do update set games = stats.games + excluded.games,
    wins = stats.wins + excluded.wins, staked = stats.staked + excluded.staked,
    won = stats.won + excluded.won,
    biggest_win = greatest(stats.biggest_win, excluded.biggest_win)`;

/** A player's settled rounds in one game, or in all with `game: null`; null for an unknown wallet. A win paid anything. */
export async function readPlayerStats(
  db: Db,
  options: { readonly wallet: string; readonly game: string | null },
) {
  type Row = { publicId: string; nickname: string | null; games: number; wins: number } & Record<
    'staked' | 'won' | 'biggest',
    string
  >;
  const { rows } = await db.query<Row>({
    name: 'read-player-stats',
    text: `select public_id as "publicId", nickname, coalesce(sum(games), 0)::bigint as games,
        coalesce(sum(wins), 0)::bigint as wins, coalesce(sum(staked), 0) as staked,
        coalesce(sum(won), 0) as won, coalesce(max(biggest_win), 0) as biggest
      from projections.player_stats_players_v1 as player
      left join projections.player_stats_v1 as stats
        on stats.wallet = player.wallet and ($2::text is null or stats.game = $2)
      where player.wallet = $1 group by 1, 2`,
    values: [options.wallet, options.game],
  });
  const [row] = rows;
  if (!row) return null;
  const { staked, won, biggest, ...figures } = row;
  return {
    ...figures,
    stakedMinor: BigInt(staked),
    wonMinor: BigInt(won),
    biggestWinMinor: BigInt(biggest),
  };
}

/** Sums over all players and games. Reads every row: for a cached figure, not for each request. */
export async function readAllStats(db: Db) {
  const { rows } = await db.query<{ players: number; games: number; won: string }>({
    name: 'read-all-stats',
    text: `select (select count(*) from projections.player_stats_players_v1) as players,
        coalesce(sum(games), 0)::bigint as games, coalesce(sum(won), 0) as won
      from projections.player_stats_v1`,
  });
  const { players = 0, games = 0, won = '0' } = rows[0] ?? {};
  return { players, games, wonMinor: BigInt(won) };
}
