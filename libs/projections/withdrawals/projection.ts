import { BACKGROUND_PACE_MS, type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type WithdrawalsChanges } from './fold.ts';

export const withdrawals: Projection<WithdrawalsChanges> = {
  name: 'withdrawals',
  version: 1,
  paceMs: BACKGROUND_PACE_MS,
  tables: [{ name: 'withdrawals_v1', key: ['withdrawal'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
