import { rowOf, tables } from '@reelbook/event-store/query';
import { playerStream } from '@reelbook/ledger/streams';
import { sql } from 'kysely';
import type pg from 'pg';

type Db = pg.Pool | pg.PoolClient;

interface Place {
  readonly tokenAccount: string;
  readonly signatures: readonly string[];
}

/** A transfer as an event of dust lists it. */
export interface ListedDust {
  readonly kind: 'dust';
  readonly signature: string;
  readonly slot: number;
  readonly deltaMinor: bigint;
  readonly sender: null;
  readonly reason: null;
}

/** SQL: the signatures that an event lists. Index `events_dust`. */
const LISTED = `jsonb_path_query_array((events.body->'data'->'transfers')::jsonb, '$[*].signature')`;

/** Those of the transfers that the ledger has as dust. */
export async function readDust(
  db: Db,
  tokenAccount: string,
  signatures: readonly string[],
): Promise<readonly ListedDust[]> {
  const { rows } = await db.query<{ signature: string; slot: number; amount: string }>({
    name: 'read-dust',
    text: `select one->>'signature' as signature, (one->>'slot')::float8 as slot,
        one->>'amountMinor' as amount
      from events, json_array_elements(events.body->'data'->'transfers') as one
      where type = 'DustReceived' and events.body->'data'->>'tokenAccount' = $1
        and ${LISTED} ?| $2::text[] and one->>'signature' = any($2)`,
    values: [tokenAccount, signatures],
  });
  return rows.map(({ amount, ...one }): ListedDust => {
    return { ...one, kind: 'dust', deltaMinor: BigInt(amount), sender: null, reason: null };
  });
}

/** Events of one step: those that observe the treasury are read over. */
const VERSIONS_PER_STEP = 50_000;

/**
 * The sum of the dust that the treasury's stream has in the next events after a version, as far as it arrived after a slot. `last`:
 * the next step begins after it. `isEnd`: there are no more.
 */
export async function sumDust(
  db: Db,
  tokenAccount: string,
  { afterVersion, afterSlot }: { readonly afterVersion: number; readonly afterSlot: number },
): Promise<{ readonly minor: bigint; readonly last: number; readonly isEnd: boolean }> {
  const { rows } = await db.query<{ minor: string; last: number | null; count: number }>({
    name: 'sum-dust',
    text: `select coalesce(sum(case when type = 'DustReceived' and body->'data'->>'tokenAccount' = $1
          then (select sum((one->>'amountMinor')::numeric)
            from json_array_elements(body->'data'->'transfers') as one
            where (one->>'slot')::int8 > $3) end), 0) as minor,
        max(version) as last, count(*)::int as count
      from (select type, body, version from events
        where stream = stream_key('treasury') and version > $2
        order by version limit ${VERSIONS_PER_STEP}) as next`,
    values: [tokenAccount, afterVersion, afterSlot],
  });
  const [{ minor, last, count } = { minor: '0', last: null, count: 0 }] = rows;
  return { minor: BigInt(minor), last: last ?? afterVersion, isEnd: count < VERSIONS_PER_STEP };
}

/**
 * Of transfers that wait as dust: those that the ledger has after all, or whose sender has registered. The treasury's stream
 * serializes the commands that record dust; the same transfer credited to a player at the same moment would move nothing
 * twice, because dust moves no money.
 */
export async function findNoDust(
  db: Db,
  tokenAccount: string,
  transfers: readonly { readonly signature: string; readonly sender: string | null }[],
): Promise<ReadonlySet<string>> {
  const signatures = transfers.map(({ signature }) => signature);
  const { rows } = await db.query<{ signature: string }>({
    name: 'find-no-dust',
    text: `select signature from unnest($1::text[], $2::text[]) as one(signature, sender)
      where exists (select from idempotency_keys
          where key = idempotency_key('deposit:' || signature || ':' || $3::text))
        or exists (select from events where type = 'PlayerRegistered' and version = 1
          and stream = stream_key('player-' || sender))`,
    values: [signatures, transfers.map(({ sender }) => sender), tokenAccount],
  });
  return new Set([...rows, ...(await readDust(db, tokenAccount, signatures))].map(signatureOf));
}

const signatureOf = ({ signature }: { readonly signature: string }) => signature;

/** Whether the wallet is of a player, by the ledger. */
export async function isPlayer(db: Db, wallet: string): Promise<boolean> {
  const registered = tables
    .selectFrom('events')
    .select('position')
    .where('stream', '=', sql<string>`stream_key(${playerStream(wallet)})`)
    .where('version', '=', sql.lit(1))
    .where('type', '=', sql.lit('PlayerRegistered'));
  return (await rowOf(db, registered, 'is-player')) !== null;
}

/** Whether there is dust, except the given, that was not looked up yet. */
export async function hasNewDust(db: Db, { tokenAccount, signatures }: Place): Promise<boolean> {
  const { rows } = await db.query({
    name: 'has-new-dust',
    text: `select from treasury_movements where token_account = $1 and kind = 'dust'
        and not recorded and attempts = 0 and signature <> all($2) limit 1`,
    values: [tokenAccount, signatures],
  });
  return rows.length > 0;
}

export async function markDust(db: Db, { tokenAccount, signatures }: Place): Promise<void> {
  await db.query(
    `update treasury_movements set recorded = true
      where token_account = $1 and signature = any($2) and kind = 'dust'`,
    [tokenAccount, signatures],
  );
}

/** Rows of one check, newest first: an attacker may send many. The audit compares all. */
const CHECKED_MAX = 5_000;

/** Opens the newest dust again that is marked as recorded, but is not in the ledger. */
export async function reopenDust(db: Db): Promise<number> {
  const { rows } = await db.query<{ account: string; signatures: readonly string[] }>(
    `select token_account as account, array_agg(signature) as signatures from (
      select token_account, signature from treasury_movements where kind = 'dust' and recorded
      order by slot desc limit $1) as newest group by token_account`,
    [CHECKED_MAX],
  );
  let count = 0;
  for (const { account, signatures } of rows) {
    const known = new Set((await readDust(db, account, signatures)).map(signatureOf));
    const lost = signatures.filter((signature) => !known.has(signature));
    const { rowCount } = await db.query(
      `update treasury_movements set recorded = false, attempts = 0, due_at = now()
        where token_account = $1 and signature = any($2)`,
      [account, lost],
    );
    count += rowCount ?? 0;
  }
  return count;
}
