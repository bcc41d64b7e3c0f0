import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { TrialBalanceChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: TrialBalanceChanges): Promise<void> {
  // The snapshots first: they start from the lines as they were before the batch.
  await changeRows(client, { name: 'apply-snapshots', text: SNAPSHOTS }, changes.snapshots);
  await changeRows(client, { name: 'apply-lines', text: LINES }, changes.lines);
  await changeRows(client, { name: 'apply-accounts', text: ACCOUNTS }, changes.accounts);
}

const SNAPSHOTS = `
  insert into trial_balance_snapshots_v2 (position, line, asset, balance)
  select new.position, new.line, new.asset, coalesce(old.balance, 0) + new."deltaMinor"
  from json_to_recordset($1) as new(position bigint, line text, asset text, "deltaMinor" numeric)
  left join trial_balance_lines_v2 as old on old.line = new.line and old.asset = new.asset`;

const LINES = `
  insert into trial_balance_lines_v2 as old (line, asset, balance)
  select line, asset, "deltaMinor"
  from json_to_recordset($1) as new(line text, asset text, "deltaMinor" numeric)
  on conflict (line, asset) do update set balance = old.balance + excluded.balance`;

const ACCOUNTS = `
  insert into trial_balance_accounts_v2 as old (account, asset, balance)
  select account, asset, "deltaMinor"
  from json_to_recordset($1) as new(account text, asset text, "deltaMinor" numeric)
  on conflict (account, asset) do update set balance = old.balance + excluded.balance`;
