import { BACKGROUND_PACE_MS, type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type SealChanges } from './fold.ts';

export const ledgerSeals: Projection<SealChanges> = {
  name: 'ledger-seals',
  version: 2,
  paceMs: BACKGROUND_PACE_MS,
  tables: [
    { name: 'ledger_seals_v2', key: ['seal'] },
    { name: 'ledger_anchors_v2', key: ['seal'] },
  ],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
