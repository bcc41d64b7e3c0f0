import { type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { type EntriesChanges, fold } from './fold.ts';

export const entries: Projection<EntriesChanges> = {
  name: 'entries',
  version: 1,
  tables: [
    { name: 'entries_players_v1', key: ['player'] },
    { name: 'entries_names_v1', key: ['part', 'id'] },
    { name: 'entries_balances_v1', key: ['line', 'asset', 'block'] },
    { name: 'entries_sums_v1', key: ['player', 'block', 'type'] },
    { name: 'entries_v1', key: ['position'] },
  ],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
