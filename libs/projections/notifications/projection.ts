import { type Projection, readTableSql } from '../projection.ts';
import { apply } from './apply.ts';
import { fold, type NotificationsChanges } from './fold.ts';

export const notifications: Projection<NotificationsChanges> = {
  name: 'notifications',
  version: 1,
  tables: [
    { name: 'notifications_players_v1', key: ['wallet'] },
    { name: 'notifications_v1', key: ['wallet', 'n'] },
  ],
  tableSql: readTableSql(import.meta.url),
  fold,
  apply,
};
