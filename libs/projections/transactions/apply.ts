import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { TransactionsChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: TransactionsChanges): Promise<void> {
  await changeRows(client, { name: 'apply-transactions', text: INSERT }, changes.movements);
  // After the rows: a withdrawal may be asked for and go on in one batch.
  await changeRows(client, { name: 'apply-progress', text: PROGRESS }, changes.progress);
}

/**
 * One look-up a player, for the first movement of the batch; the window carries it to the others. The window's order
 * has every look-up done before the first row is in: it would else step over all rows of the batch.
 */
const INSERT = `
  insert into transactions_v3 (wallet, n, position, type, asset, amount, balance_after, game, round,
    status, withdrawal, signature, created_at)
  select new.wallet, new.rank + coalesce(first_value(last.n) over (
      partition by new.wallet order by new.rank), 0),
    new.position, new.type, new.asset, new."amountMinor", new."balanceAfterMinor", new.game,
    new.round, new.status, new.withdrawal, new.signature, new."createdAt"
  from json_to_recordset($1) as new(wallet text, rank bigint, position bigint, type text,
    asset text, "amountMinor" numeric, "balanceAfterMinor" numeric, game text, round text,
    status text, withdrawal text, signature text, "createdAt" timestamptz)
  left join lateral (
    select old.n from transactions_v3 as old where new.rank = 1 and old.wallet = new.wallet
    order by old.n desc limit 1) as last on true`;

const PROGRESS = `
  update transactions_v3 as row set status = said.status,
    signature = coalesce(said.signature, row.signature)
  from json_to_recordset($1) as said(withdrawal text, status text, signature text)
  where row.withdrawal = said.withdrawal`;
