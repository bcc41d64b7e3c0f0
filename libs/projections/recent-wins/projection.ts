import { BACKGROUND_PACE_MS, type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type RecentWinsChanges } from './fold.ts';

export const recentWins: Projection<RecentWinsChanges> = {
  name: 'recent-wins',
  version: 2,
  paceMs: BACKGROUND_PACE_MS,
  tables: [
    { name: 'recent_wins_players_v2', key: ['wallet'] },
    { name: 'recent_wins_v2', key: ['position'] },
  ],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
