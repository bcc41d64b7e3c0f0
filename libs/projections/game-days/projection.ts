import { type Projection, readTableSql, UNHURRIED_PACE_MS } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type GameDaysChanges } from './fold.ts';

export const gameDays: Projection<GameDaysChanges> = {
  name: 'game-days',
  version: 1,
  tables: [
    { name: 'game_days_v1', key: ['day', 'game', 'rules', 'stake'] },
    { name: 'game_days_open_v1', key: ['round'] },
  ],
  tableSql: readTableSql(import.meta.url),
  paceMs: UNHURRIED_PACE_MS,
  fold,
  apply,
};
