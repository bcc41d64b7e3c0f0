import { type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { type BalanceChange, fold } from './fold.ts';

export const balances: Projection<readonly BalanceChange[]> = {
  name: 'balances',
  version: 1,
  tables: [{ name: 'balances_v1', key: ['wallet'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
