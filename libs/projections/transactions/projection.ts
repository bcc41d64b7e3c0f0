import { type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type TransactionsChanges } from './fold.ts';

export const transactions: Projection<TransactionsChanges> = {
  name: 'transactions',
  version: 3,
  tables: [{ name: 'transactions_v3', key: ['wallet', 'n'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
