import { BACKGROUND_PACE_MS, type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type StatsChanges } from './fold.ts';

export const playerStats: Projection<StatsChanges> = {
  name: 'player-stats',
  version: 1,
  paceMs: BACKGROUND_PACE_MS,
  tables: [
    { name: 'player_stats_players_v1', key: ['wallet'] },
    { name: 'player_stats_v1', key: ['wallet', 'game'] },
  ],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
