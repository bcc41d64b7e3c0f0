import { type Projection, readTableSql, UNHURRIED_PACE_MS } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type Revealed } from './fold.ts';

export const seeds: Projection<readonly Revealed[]> = {
  name: 'seeds',
  version: 1,
  paceMs: UNHURRIED_PACE_MS,
  tables: [{ name: 'seeds_v1', key: ['wallet', 'pair'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
