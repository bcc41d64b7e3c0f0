import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { NotificationsChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: NotificationsChanges): Promise<void> {
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
