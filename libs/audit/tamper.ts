/** Changes that only a superuser or a dishonest server could make to a ledger: for the tests of the audit. */
import { createHash, randomBytes } from 'node:crypto';
import { append } from '@reelbook/event-store/append';
import { loadState } from '@reelbook/event-store/read-stream';
import { encode, tailsOf } from '@reelbook/ledger/codec';
import { fold, type LedgerEvent } from '@reelbook/ledger/decider';
import { deciders } from '@reelbook/ledger/deciders';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

const TABLES = ['events', 'streams', 'idempotency_keys', 'ledger_head', 'sessions'] as const;
/** Tables that only a site with players and a cashier fills. */
export const ALL_TABLES = [...TABLES, ...['server_seeds', 'treasury_scans', 'treasury_movements']];

/** Changes those tables without the ledger's triggers, runs `look`, and restores them and the checkpoints. */
export async function tamperWith<T>(
  owner: pg.Pool,
  change: (client: pg.PoolClient) => Promise<unknown>,
  look: () => Promise<T>,
  tables: readonly string[] = TABLES,
): Promise<T> {
  const client = await owner.connect();
  try {
    await client.query("set session_replication_role = 'replica'");
    for (const table of [...tables, 'checkpoints'])
      await client.query(`create temp table keep_${table} as table ${table}`);
    await change(client);
    return await look();
  } finally {
    // First: no follower applies restored events again.
    await client.query(`update checkpoints as own set position = kept.position from keep_checkpoints as kept
      where (own.name, own.version) = (kept.name, kept.version) and own.position <> kept.position`);
    await client.query('drop table keep_checkpoints');
    for (const table of tables) {
      await client.query(`delete from ${table}`);
      await client.query(`insert into ${table} table keep_${table}`);
      await client.query(`drop table keep_${table}`);
    }
    await client.query("set session_replication_role = 'origin'");
    client.release();
  }
}

export function replaceIn(client: pg.PoolClient, position: number, from: string, to: string) {
  return client.query(
    'update events set body = replace(body::text, $2, $3)::json where position = $1',
    [position, from, to],
  );
}

/**
 * Removes an event as if it had never been: later events move up, and its stream's versions stay dense. For a command of
 * one event.
 */
export async function removeEvent(client: pg.PoolClient, taken: number): Promise<void> {
  type Row = { position: number; stream: string; version: number; body: string };
  const { rows } = await client.query<Row>(
    'select position, stream, version, body from events where position >= $1 order by position',
    [taken],
  );
  await client.query('delete from events where position = $1', [taken]);
  for (const { position, stream, version, body } of rows.slice(1)) {
    const moved = stream === rows[0]?.stream ? version - 1 : version;
    const text = body
      .replace(`"position":${position},`, `"position":${position - 1},`)
      .replace(`"version":${version},`, `"version":${moved},`);
    await client.query(
      `update events set position = position - 1, first_position = first_position - 1,
        version = $2, body = $3 where position = $1`,
      [position, moved, text],
    );
  }
}

/** Hashes the chain again, as an attacker with superuser rights could. */
export async function sealAgain(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ position: number; body: string }>(
    'select position, body from events order by position',
  );
  let hash = Buffer.alloc(32);
  for (const { position, body } of rows) {
    hash = createHash('sha256').update(hash).update(body, 'utf8').digest();
    await client.query('update events set hash = $2 where position = $1', [position, hash]);
  }
  await client.query('update ledger_head set hash = $1', [hash]);
}

/** Appends events that no decision allows through the normal append: the ledger stays intact, and only its meaning breaks. */
export async function forge(
  pool: pg.Pool,
  stream: string,
  make: (state: never) => readonly LedgerEvent[],
  actor = 'system:thief',
  alter = (tail: string) => tail,
): Promise<number> {
  const decider = deciders[parseStream(stream).kind];
  const current = await loadState(pool, decider, stream);
  const events = make(current.state as never);
  const idempotencyKey = randomBytes(16).toString('hex');
  const meta = { command: idempotencyKey, correlation: 'forged', actor };
  const [result] = await append(pool, [
    {
      idempotencyKey,
      requestHash: randomBytes(32).toString('hex'),
      stream,
      expectedVersion: current.version,
      configVersion: null,
      marginDeltaMinor: 0n,
      mustCover: false,
      state: encode(fold(decider, events, current.state)),
      stateSchema: decider.stateSchema,
      events: tailsOf(stream, { events, meta }, encode).map(({ type, tail }) => ({
        type,
        tail: alter(tail),
      })),
    },
  ]);
  if (result?.status !== 'appended') throw new Error(`not appended: ${result?.status}`);
  return result.position;
}
