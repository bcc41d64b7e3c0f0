import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { PostingRow } from './fold.ts';

export async function apply(client: pg.ClientBase, rows: readonly PostingRow[]): Promise<void> {
  await changeRows(client, { name: 'apply-postings', text: INSERT }, rows);
}

/**
 * One look-up an account, for its first row in the batch; the window carries it to the others. The window's order has
 * every look-up done before the first row is in: it would else step over all rows of the batch.
 */
const INSERT = `
  insert into postings_v1 (account, asset, position, delta, after)
  select new.account, new.asset, new.position, new."deltaMinor",
    new."runningMinor" + coalesce(first_value(old.after) over (
      partition by new.account, new.asset order by new.position), 0)
  from json_to_recordset($1) as new(account text, asset text, position bigint,
    "deltaMinor" numeric, "runningMinor" numeric, "isFirst" boolean)
  left join lateral (
    select before.after from postings_v1 as before
    where new."isFirst" and before.account = new.account and before.asset = new.asset
    order by before.position desc limit 1) as old on true`;
