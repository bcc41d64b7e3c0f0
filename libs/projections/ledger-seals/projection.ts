import { type Projection, readTableSql, UNHURRIED_PACE_MS } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type Sealed } from './fold.ts';

export const ledgerSeals: Projection<readonly Sealed[]> = {
  name: 'ledger-seals',
  version: 1,
  paceMs: UNHURRIED_PACE_MS,
  tables: [{ name: 'ledger_seals_v1', key: ['seal'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
