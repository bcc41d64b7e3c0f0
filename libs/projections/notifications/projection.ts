import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { eventOf } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import {
  type Notification as NoticeFacts,
  notificationOf,
} from '@reelbook/ledger/player/notice-facts';
import type { Notice, NotificationsRead } from '@reelbook/ledger/player/notices';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { changeRows, type Db, type Page, type Projection } from '../projection.ts';

const TABLES = `
-- n numbers a player's notifications from 1, in the order of their events; one that a later one replaced has no row. The
-- ledger has their contents.
create table if not exists notifications_v1 (
  wallet text not null,
  n bigint not null,
  position bigint not null,
  read boolean not null,
  primary key (wallet, n)
) with (fillfactor = 80);
create table if not exists notifications_players_v1 (
  wallet text primary key,
  total bigint not null,
  unread bigint not null
) with (fillfactor = 50);
`;

export const notifications: Projection<NotificationsChanges> = {
  name: 'notifications',
  version: 1,
  tables: [
    { name: 'notifications_players_v1', key: ['wallet'] },
    { name: 'notifications_v1', key: ['wallet', 'n'] },
  ],
  tableSql: TABLES,
  fold,
  apply,
};

export interface NotificationsChanges {
  readonly notices: readonly NewNotice[];
  readonly replaced: readonly Pick<NewNotice, 'wallet' | 'n'>[];
  readonly reads: readonly ReadRange[];
  /** The state of each player of the batch that was notified or that read. */
  readonly players: readonly PlayerNotices[];
}

export interface NewNotice {
  readonly wallet: string;
  readonly n: number;
  readonly position: number;
}

/** Both ends included. */
export interface ReadRange {
  readonly wallet: string;
  readonly from: number;
  readonly to: number;
}

export interface PlayerNotices {
  readonly wallet: string;
  /** How many more are listed. */
  readonly added: number;
  readonly unread: number;
}

export function fold(events: readonly RecordedEvent[]): NotificationsChanges {
  const notices: NewNotice[] = [];
  const reads: ReadRange[] = [];
  const replaced: Pick<NewNotice, 'wallet' | 'n'>[] = [];
  const players = new Map<string, PlayerNotices>();
  for (const { event, stream, position } of events) {
    const change = dataOf(event);
    if (!change) continue;
    const wallet = parseStream(stream).id;
    const added = players.get(wallet)?.added ?? 0;
    const { unread } = change;
    if ('n' in change) {
      const { n, replaces } = change;
      notices.push({ wallet, n, position });
      if (replaces !== undefined) replaced.push({ wallet, n: replaces });
      players.set(wallet, { wallet, added: added + (replaces === undefined ? 1 : 0), unread });
    } else {
      const { from, to } = change;
      reads.push({ wallet, from, to });
      players.set(wallet, { wallet, added, unread });
    }
  }
  return { notices, replaced, reads, players: [...players.values()] };
}

function dataOf(event: RecordedEvent['event']): Notice | NotificationsRead['data'] | null {
  if (event.type === 'NotificationsRead') return event.data;
  return 'notice' in event.data ? (event.data.notice ?? null) : null;
}

async function apply(client: pg.ClientBase, changes: NotificationsChanges): Promise<void> {
  // In this order: what was read existed before, so a later notification of the batch is in no range.
  await changeRows(client, { name: 'apply-notices', text: NOTICES }, changes.notices);
  await changeRows(client, { name: 'apply-replaced-notices', text: REPLACED }, changes.replaced);
  await changeRows(client, { name: 'apply-reads', text: READS }, changes.reads);
  await changeRows(client, { name: 'apply-noticed', text: PLAYERS }, changes.players);
}

const NOTICES = `
  insert into notifications_v1 (wallet, n, position, read)
  select wallet, n, position, false
  from json_to_recordset($1) as new(wallet text, n bigint, position bigint)`;

const REPLACED = `
  delete from notifications_v1 as notice
  using json_to_recordset($1) as replaced(wallet text, n bigint)
  where notice.wallet = replaced.wallet and notice.n = replaced.n`;

const READS = `
  update notifications_v1 as notice set read = true
  from json_to_recordset($1) as read(wallet text, "from" bigint, "to" bigint)
  where notice.wallet = read.wallet and notice.n between read."from" and read."to"
    and not notice.read`;

const PLAYERS = `
  insert into notifications_players_v1 (wallet, total, unread)
  select new.wallet, coalesce(old.total, 0) + new.added, new.unread
  from json_to_recordset($1) as new(wallet text, added bigint, unread bigint)
  left join notifications_players_v1 as old on old.wallet = new.wallet
  on conflict (wallet) do update set total = excluded.total, unread = excluded.unread`;

const NOTIFICATIONS_PAGE_SIZE_MAX = 100;

export interface Notification extends Pick<NoticeFacts, 'n' | 'type' | 'kind' | 'facts'> {
  /** Position of its event: unique over all players. */
  readonly id: number;
  readonly createdAt: string;
  readonly read: boolean;
}

/**
 * A player's notifications, newest first. Pages count from 1. Their facts are read from the events, so that a change of the
 * facts needs no other projection.
 */
export async function readNotifications(
  db: Db,
  options: { readonly wallet: string; readonly page: number; readonly pageSize: number },
): Promise<Page<Notification> & { readonly unread: number }> {
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

async function countNotifications(db: Db, wallet: string) {
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
