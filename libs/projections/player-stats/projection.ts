import { type Projection, readTableSql, UNHURRIED_PACE_MS } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type StatsChanges } from './fold.ts';

export const playerStats: Projection<StatsChanges> = {
  name: 'player-stats',
  version: 1,
  paceMs: UNHURRIED_PACE_MS,
  tables: [
    { name: 'player_stats_players_v1', key: ['wallet'] },
    { name: 'player_stats_v1', key: ['wallet', 'game'] },
  ],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
