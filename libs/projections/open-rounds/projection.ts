import { type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type OpenRoundsChanges } from './fold.ts';

export const openRounds: Projection<OpenRoundsChanges> = {
  name: 'open-rounds',
  version: 1,
  tables: [{ name: 'open_rounds_v1', key: ['round'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
