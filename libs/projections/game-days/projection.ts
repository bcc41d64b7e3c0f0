import { BACKGROUND_PACE_MS, type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type GameDaysChanges } from './fold.ts';

export const gameDays: Projection<GameDaysChanges> = {
  name: 'game-days',
  version: 2,
  tables: [
    { name: 'game_days_v2', key: ['day', 'game', 'rules', 'choice', 'stake'] },
    { name: 'game_days_open_v2', key: ['round'] },
  ],
  tableSql: readTableSql(import.meta.url),
  paceMs: BACKGROUND_PACE_MS,
  fold,
  apply,
};
