import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { Standing } from './fold.ts';

export async function apply(client: pg.ClientBase, standings: readonly Standing[]): Promise<void> {
  await changeRows(client, { name: 'apply-leaderboards', text: UPSERT }, standings);
}

const UPSERT = `
  insert into leaderboards_v1 (wallet, public_id, nickname, earnings, wins, points)
  select new.wallet, coalesce(new."publicId", old.public_id), coalesce(new.nickname, old.nickname),
    coalesce(old.earnings, 0) + new."earningsMinor", coalesce(old.wins, 0) + new.wins,
    coalesce(new."pointsMinor", old.points, 0)
  from json_to_recordset($1) as new(wallet text, "publicId" text, nickname text,
    "earningsMinor" numeric, wins bigint, "pointsMinor" numeric)
  left join leaderboards_v1 as old on old.wallet = new.wallet
  on conflict (wallet) do update set public_id = excluded.public_id, nickname = excluded.nickname,
    earnings = excluded.earnings, wins = excluded.wins, points = excluded.points`;
