import { BACKGROUND_PACE_MS, type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type Standing } from './fold.ts';

export const leaderboards: Projection<readonly Standing[]> = {
  name: 'leaderboards',
  version: 1,
  paceMs: BACKGROUND_PACE_MS,
  tables: [{ name: 'leaderboards_v1', key: ['wallet'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
