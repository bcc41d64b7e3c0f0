import { BACKGROUND_PACE_MS, type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { type AccountSum, fold } from './fold.ts';

export const accountSums: Projection<readonly AccountSum[]> = {
  name: 'account-sums',
  version: 1,
  tables: [
    { name: 'account_sums_v1', key: ['account', 'asset', 'type', 'game', 'credit', 'block'] },
  ],
  tableSql: readTableSql(import.meta.url),
  paceMs: BACKGROUND_PACE_MS,
  fold,
  apply,
};
