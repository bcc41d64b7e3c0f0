import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { AccountSum } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: readonly AccountSum[]): Promise<void> {
  await changeRows(client, { name: 'apply-account-sums', text: UPSERT }, changes);
}

/** Each kind continues from its last row, which may be of the block that the batch begins in. */
const UPSERT = `
  insert into account_sums_v1 (account, asset, type, game, credit, block, events, minor)
  select new.account, new.asset, new.type, new.game, new.credit, new.block,
    coalesce(last.events, 0) + sum(new.events) over kind,
    coalesce(last.minor, 0) + sum(new.minor) over kind
  from json_to_recordset($1) as new(account text, asset text, type text, game text, credit boolean,
    block bigint, events bigint, minor numeric)
  left join lateral (
    select events, minor from account_sums_v1 as old
    where old.account = new.account and old.asset = new.asset and old.type = new.type
      and old.game = new.game and old.credit = new.credit
    order by block desc limit 1) as last on true
  window kind as (partition by new.account, new.asset, new.type, new.game, new.credit
    order by new.block)
  on conflict (account, asset, type, game, credit, block) do update
    set events = excluded.events, minor = excluded.minor`;
