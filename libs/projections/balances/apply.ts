import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { BalanceChange } from './fold.ts';

export async function apply(
  client: pg.ClientBase,
  changes: readonly BalanceChange[],
): Promise<void> {
  await changeRows(client, { name: 'apply-balances', text: UPSERT }, changes);
}

const UPSERT = `
  insert into balances_v1 (wallet, points, token, version, position)
  select new.wallet, coalesce(new."pointsMinor", old.points, 0),
    coalesce(new."tokenMinor", old.token, 0), new.version, new.position
  from json_to_recordset($1) as new(wallet text, "pointsMinor" numeric, "tokenMinor" numeric,
    version bigint, position bigint)
  left join balances_v1 as old on old.wallet = new.wallet
  on conflict (wallet) do update set points = excluded.points, token = excluded.token,
    version = excluded.version, position = excluded.position`;
