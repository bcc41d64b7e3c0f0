import { type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type Sealed } from './fold.ts';

export const ledgerSeals: Projection<readonly Sealed[]> = {
  name: 'ledger-seals',
  version: 1,
  tables: [{ name: 'ledger_seals_v1', key: ['seal'] }],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
