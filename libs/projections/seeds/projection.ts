import { BACKGROUND_PACE_MS, type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type Revealed } from './fold.ts';

export const seeds: Projection<readonly Revealed[]> = {
  name: 'seeds',
  version: 1,
  paceMs: BACKGROUND_PACE_MS,
  tables: [{ name: 'seeds_v1', key: ['wallet', 'pair'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
