import { OPERATORS_PACE_MS, type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type TrialBalanceChanges } from './fold.ts';

export const trialBalance: Projection<TrialBalanceChanges> = {
  name: 'trial-balance',
  version: 1,
  tables: [
    { name: 'trial_balance_snapshots_v1', key: ['position', 'line', 'asset'] },
    { name: 'trial_balance_lines_v1', key: ['line', 'asset'] },
    { name: 'trial_balance_accounts_v1', key: ['account', 'asset'] },
  ],
  tableSql: readTableSql(import.meta.url),
  paceMs: OPERATORS_PACE_MS,
  fold,
  apply,
};
