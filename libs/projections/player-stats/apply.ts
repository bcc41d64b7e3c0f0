import type pg from 'pg';
import { applyNames } from '../players.ts';
import { changeRows } from '../statement.ts';
import type { StatsChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: StatsChanges): Promise<void> {
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
