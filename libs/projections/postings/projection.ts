import { type Projection, readTableSql, UNHURRIED_PACE_MS } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type PostingRow } from './fold.ts';

export const postings: Projection<readonly PostingRow[]> = {
  name: 'postings',
  version: 1,
  tables: [{ name: 'postings_v1', key: ['account', 'asset', 'position'] }],
  tableSql: readTableSql(import.meta.url),
  paceMs: UNHURRIED_PACE_MS,
  fold,
  apply,
};
