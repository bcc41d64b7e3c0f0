import { createHash, randomBytes } from 'node:crypto';
import { append } from '@reelbook/event-store/append';
import { loadState } from '@reelbook/event-store/read-stream';
import { createRootFold } from '@reelbook/games/fairness/merkle';
import { encode, readBody, tailsOf } from '@reelbook/ledger/codec';
import { fold, type LedgerEvent } from '@reelbook/ledger/decider';
import { deciders } from '@reelbook/ledger/deciders';
import type { AnyEvent, Meta } from '@reelbook/ledger/events';
import { marginDeltaMinor } from '@reelbook/ledger/invariants';
import { CONFIG_STREAM, parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** Changes that only a superuser or a dishonest server could make to a ledger: for the tests of the audit. */

const TABLES = ['events', 'streams', 'idempotency_keys', 'ledger_head', 'sessions'] as const;
/** Tables that only a site with players and a cashier fills. */
export const ALL_TABLES = [...TABLES, 'server_seeds', 'treasury_scans', 'treasury_movements'];

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

/** Rewrites a ledger as an attacker with superuser rights and all keys of the database could: for the tests of the audit. */

interface Row {
  readonly position: number;
  readonly first_position: number;
  readonly body: string;
}

/** The event that `keep` is called with. */
export interface WrittenEvent {
  readonly position: number;
  readonly stream: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Rewrites the ledger with the events that `keep` selects: positions, versions, the hash chain, seals, streams, idempotency
 * keys, head, checkpoints and sessions are made consistent. The result is a ledger without contradictions of its own.
 */
export async function rewriteLedger(
  client: pg.PoolClient,
  keep: (event: WrittenEvent) => boolean,
): Promise<void> {
  const { rows } = await client.query<Row>(
    'select position, first_position, body::text as body from events order by position',
  );
  const ledger = new Rewritten();
  const firsts = new Map<number, number>();
  const metas = new Map<number, Meta>();
  for (const row of rows) {
    const { stream, type, data, version, meta } = readBody(row.body);
    if (meta) metas.set(row.first_position, meta);
    const event = { position: row.position, stream, type, data: data as WrittenEvent['data'] };
    if (!keep(event)) {
      await client.query('delete from events where position = $1', [row.position]);
      ledger.skip(row.position);
      continue;
    }
    // If the first event of a command is removed, its next event gets the meta.
    const own = firsts.has(row.first_position) ? null : encode(metas.get(row.first_position));
    const body = meta || own === null ? row.body : row.body.replace(/}$/, `,"meta":${own}}`);
    const written = ledger.add({ ...event, version, body });
    const first = firsts.get(row.first_position) ?? written.position;
    firsts.set(row.first_position, first);
    // In ascending order: the position is free, because its event has moved down.
    await client.query(
      `update events set position = $2, first_position = $3, version = $4, body = $5, hash = $6
        where position = $1`,
      [row.position, written.position, first, written.version, written.body, written.hash],
    );
  }
  await client.query('delete from idempotency_keys where not position = any($1)', [
    [...firsts.keys()],
  ]);
  for (const [old, moved] of firsts) {
    await client.query('update idempotency_keys set position = $2 where position = $1', [
      old,
      moved,
    ]);
  }
  await writeStreams(client, ledger);
  const logins = `select body->'data'->>'session' as session, position from events where type = 'SessionStarted'`;
  await client.query(
    `update sessions set login = position from (${logins}) as logins
      where session = encode(family, 'hex')`,
  );
  await client.query(
    `delete from sessions where encode(family, 'hex') not in (select session from (${logins}) as logins)`,
  );
  await client.query(
    `update ledger_head set position = $1, hash = $2, token_margin = $3, config_version = $4,
      recorded_at = (select recorded_at from events where events.position = $1)`,
    [
      ledger.position,
      ledger.hash,
      ledger.marginMinor.toString(),
      ledger.streams.get(CONFIG_STREAM)?.version ?? 0,
    ],
  );
  await client.query('update checkpoints set position = least(position, $1)', [ledger.position]);
}

async function writeStreams(client: pg.PoolClient, { streams }: Rewritten): Promise<void> {
  await client.query('delete from streams where not name = any($1)', [[...streams.keys()]]);
  for (const [name, { version, state }] of streams) {
    await client.query('update streams set version = $2, state = $3 where name = $1', [
      name,
      version,
      encode(state),
    ]);
  }
}

/** The ledger written so far. */
class Rewritten {
  position = 0;
  hash: Buffer = Buffer.alloc(32);
  marginMinor = 0n;
  readonly streams = new Map<string, { version: number; state: unknown }>();
  private readonly hashes: Buffer[] = [];
  /** By old position, the number of events kept up to it. */
  private readonly kept: number[] = [0];
  private seal = { to: 0, root: null as string | null };

  skip(position: number): void {
    this.kept[position] = this.position;
  }

  add(event: WrittenEvent & { readonly version: number; readonly body: string }) {
    const { stream: name, type } = event;
    const { kind, id } = parseStream(name);
    const stream = this.streams.get(name) ?? { version: 0, state: deciders[kind].initial };
    this.streams.set(name, stream);
    const version = ++stream.version;
    const position = ++this.position;
    this.kept[event.position] = position;
    let body = event.body
      .replace(`"position":${event.position},`, `"position":${position},`)
      .replace(`"version":${event.version},`, `"version":${version},`);
    if (type === 'LedgerSealed') body = this.sealed(body, event);
    this.hash = createHash('sha256').update(this.hash).update(body, 'utf8').digest();
    this.hashes.push(this.hash);
    const written = { type, data: readBody(body).data } as AnyEvent;
    stream.state = deciders[kind].evolve(stream.state, written as LedgerEvent);
    this.marginMinor += marginDeltaMinor([written], id);
    return { position, version, body, hash: this.hash };
  }

  /** The seal of the rest of its range. */
  private sealed(body: string, { data }: WrittenEvent): string {
    const from = this.seal.to + 1;
    const to = this.kept[data.to as number] ?? 0;
    const tree = createRootFold();
    for (const hash of this.hashes.slice(from - 1, to)) tree.push(hash);
    const root = Buffer.from(tree.root()).toString('hex');
    const chainHash = this.hashes[to - 1]?.toString('hex');
    const resealed = { ...data, from, to, root, chainHash, previousRoot: this.seal.root };
    this.seal = { to, root };
    return body.replace(/"data":\{[^}]*\}/, `"data":${encode(resealed)}`);
  }
}
