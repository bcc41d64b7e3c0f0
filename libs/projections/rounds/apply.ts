import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { RoundChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: RoundChanges): Promise<void> {
  await changeRows(client, { name: 'apply-rounds-placed', text: INSERT }, changes.placed);
  const { settled } = changes;
  const count = await changeRows(client, { name: 'apply-rounds-settled', text: SETTLE }, settled);
  assert(count === settled.length, 'every settlement finds its open round');
}

/**
 * One look-up a player and game, for the first round of the batch; the window carries it to the others. The window's
 * order has every look-up done before the first row is in: it would else step over all rows of the batch.
 */
const INSERT = `
  insert into rounds_v1 (round, wallet, game, n, stake, lines, rules, server_seed_hash, client_seed,
    nonce, bet_position, placed_at, payout, outcome, position, settled_at)
  select new.round, new.wallet, new.game, new.rank + coalesce(first_value(last.n) over (
      partition by new.wallet, new.game order by new.rank), 0),
    new."stakeMinor", new.lines, new.rules, new."serverSeedHash", new."clientSeed", new.nonce,
    new."betPosition", new."placedAt", new."payoutMinor", new.outcome, new.position,
    new."settledAt"
  from json_to_recordset($1) as new(round text, wallet text, game text, rank bigint,
    "stakeMinor" numeric, lines int, rules text, "serverSeedHash" text, "clientSeed" text,
    nonce bigint, "betPosition" bigint, "placedAt" timestamptz, "payoutMinor" numeric,
    outcome json, position bigint, "settledAt" timestamptz)
  left join lateral (
    select old.n from rounds_v1 as old
    where new.rank = 1 and old.wallet = new.wallet and old.game = new.game
    order by old.n desc limit 1) as last on true`;

const SETTLE = `
  update rounds_v1 as open set payout = new."payoutMinor", outcome = new.outcome,
    position = new.position, settled_at = new."settledAt"
  from json_to_recordset($1) as new(round text, "payoutMinor" numeric, outcome json,
    position bigint, "settledAt" timestamptz)
  where open.round = new.round and open.position is null`;
