import { type Projection, readTableSql, UNHURRIED_PACE_MS } from '../projection.ts';
import { apply } from './apply.ts';
import { type ExplorerChanges, fold } from './fold.ts';

export const explorer: Projection<ExplorerChanges> = {
  name: 'explorer',
  version: 3,
  tables: [
    { name: 'explorer_players_v3', key: ['wallet'] },
    { name: 'explorer_v3', key: ['position'] },
  ],
  tableSql: readTableSql(import.meta.url),
  paceMs: UNHURRIED_PACE_MS,
  fold,
  apply,
};
