import { BACKGROUND_PACE_MS, type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { type CountedRound, fold } from './fold.ts';

export const achievements: Projection<readonly CountedRound[]> = {
  name: 'achievements',
  version: 1,
  paceMs: BACKGROUND_PACE_MS,
  tables: [
    { name: 'achievements_progress_v1', key: ['wallet'] },
    { name: 'achievements_v1', key: ['wallet', 'name'] },
  ],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
