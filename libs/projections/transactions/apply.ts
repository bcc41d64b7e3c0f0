import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { Movement } from './fold.ts';

export async function apply(client: pg.ClientBase, movements: readonly Movement[]): Promise<void> {
  await changeRows(client, { name: 'apply-transactions', text: INSERT }, movements);
}

/**
 * One look-up a player, for the first movement of the batch; the window carries it to the others. The window's order
 * has every look-up done before the first row is in: it would else step over all rows of the batch.
 */
const INSERT = `
  insert into transactions_v2 (wallet, n, position, type, asset, amount, balance_after, game, round,
    created_at)
  select new.wallet, new.rank + coalesce(first_value(last.n) over (
      partition by new.wallet order by new.rank), 0),
    new.position, new.type, new.asset, new."amountMinor", new."balanceAfterMinor", new.game,
    new.round, new."createdAt"
  from json_to_recordset($1) as new(wallet text, rank bigint, position bigint, type text,
    asset text, "amountMinor" numeric, "balanceAfterMinor" numeric, game text, round text,
    "createdAt" timestamptz)
  left join lateral (
    select old.n from transactions_v2 as old where new.rank = 1 and old.wallet = new.wallet
    order by old.n desc limit 1) as last on true`;
