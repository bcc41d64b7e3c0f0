import { eventOf } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { type Notification as Notice, notificationOf } from '@reelbook/ledger/player/notice-facts';
import type { Db, Page } from '../projection.ts';

const NOTIFICATIONS_PAGE_SIZE_MAX = 100;

export interface Notification extends Pick<Notice, 'n' | 'type' | 'kind' | 'facts'> {
  /** Position of its event: unique over all players. */
  readonly id: number;
  readonly createdAt: string;
  readonly read: boolean;
}

export interface NotificationsPage extends Page<Notification> {
  readonly unread: number;
}

/**
 * A player's notifications, newest first. Pages count from 1. Their facts come from the events, so that a change of them is
 * no other read model.
 */
export async function readNotifications(
  db: Db,
  o: { readonly wallet: string; readonly page: number; readonly pageSize: number },
): Promise<NotificationsPage> {
  assert(o.page >= 1 && o.pageSize >= 1 && o.pageSize <= NOTIFICATIONS_PAGE_SIZE_MAX, 'a page');
  const { total, unread } = await countNotifications(db, o.wallet);
  const last = total - (o.page - 1) * o.pageSize;
  if (last < 1) return { items: [], total, unread };
  const { rows } = await db.query<Row>({
    name: 'read-notifications',
    text: `select n, read, event.position, first_position, body, encode(hash, 'hex') as hash
      from projections.notifications_v1 as notice
      join public.events as event on event.position = notice.position
      where wallet = $1 and n <= $2 order by n desc limit $3`,
    values: [o.wallet, last, o.pageSize],
  });
  return { items: rows.map(toNotification), total, unread };
}

interface Row {
  n: number;
  read: boolean;
  position: number;
  first_position: number;
  body: string;
  hash: string;
}

async function countNotifications(
  db: Db,
  wallet: string,
): Promise<{ total: number; unread: number }> {
  const { rows } = await db.query<{ total: number; unread: number }>({
    name: 'count-notifications',
    text: 'select total, unread from projections.notifications_players_v1 where wallet = $1',
    values: [wallet],
  });
  return rows[0] ?? { total: 0, unread: 0 };
}

function toNotification(row: Row): Notification {
  const { event, position: id, time: createdAt } = eventOf(row.body);
  const notification = notificationOf(event);
  assert(notification, `the event at position ${id} is a notification`);
  const { n, type, kind, facts } = notification;
  return { id, n, type, kind, facts, createdAt, read: row.read };
}
