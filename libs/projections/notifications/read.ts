import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
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
 * A player's notifications, newest first. Pages count from 1. Their facts are read from the events, so that a change of the
 * facts needs no other projection.
 */
export async function readNotifications(
  db: Db,
  options: { readonly wallet: string; readonly page: number; readonly pageSize: number },
): Promise<NotificationsPage> {
  assert(
    options.page >= 1 && options.pageSize >= 1 && options.pageSize <= NOTIFICATIONS_PAGE_SIZE_MAX,
    'a page',
  );
  const { total, unread } = await countNotifications(db, options.wallet);
  const skipped = (options.page - 1) * options.pageSize;
  if (skipped >= total) return { items: [], total, unread };
  const page = tables
    .selectFrom('projections.notifications_v1 as notice')
    .innerJoin('events as event', 'event.position', 'notice.position')
    .select(['notice.read', 'event.body'])
    .where('wallet', '=', options.wallet)
    .orderBy('n', 'desc')
    .offset(skipped)
    .limit(options.pageSize);
  const rows = await rowsOf(db, page, 'read-notifications');
  return { items: rows.map(toNotification), total, unread };
}

async function countNotifications(
  db: Db,
  wallet: string,
): Promise<{ total: number; unread: number }> {
  const counts = tables
    .selectFrom('projections.notifications_players_v1')
    .select(['total', 'unread'])
    .where('wallet', '=', wallet);
  return (await rowOf(db, counts, 'count-notifications')) ?? { total: 0, unread: 0 };
}

function toNotification({ body, read }: { body: string; read: boolean }): Notification {
  const { event, position: id, time: createdAt } = eventOf(body);
  const notification = notificationOf(event);
  assert(notification, `the event at position ${id} is a notification`);
  const { n, type, kind, facts } = notification;
  return { id, n, type, kind, facts, createdAt, read };
}
