import { type Projection, readTableSql, UNHURRIED_PACE_MS } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type TrialBalanceChanges } from './fold.ts';

export const trialBalance: Projection<TrialBalanceChanges> = {
  name: 'trial-balance',
  version: 2,
  tables: [
    { name: 'trial_balance_snapshots_v2', key: ['position', 'line', 'asset'] },
    { name: 'trial_balance_lines_v2', key: ['line', 'asset'] },
    { name: 'trial_balance_accounts_v2', key: ['account', 'asset'] },
  ],
  tableSql: readTableSql(import.meta.url),
  paceMs: UNHURRIED_PACE_MS,
  fold,
  apply,
};
