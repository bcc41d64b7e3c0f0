import { type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type Movement } from './fold.ts';

export const transactions: Projection<readonly Movement[]> = {
  name: 'transactions',
  version: 2,
  tables: [{ name: 'transactions_v2', key: ['wallet', 'n'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
