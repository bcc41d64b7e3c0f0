import { type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type RoundChanges } from './fold.ts';

export const rounds: Projection<RoundChanges> = {
  name: 'rounds',
  version: 1,
  tables: [{ name: 'rounds_v1', key: ['round'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
