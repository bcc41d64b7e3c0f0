import { advance, type Lease } from '@reelbook/event-store/checkpoint';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type pg from 'pg';
import { foldKnown, type Projection } from './projection.ts';

/** The live tables' schema. The same tables are elsewhere in a replay (`compare.ts`) or a rebuild (`rebuild.ts`). */
export const LIVE_SCHEMA = 'projections';
/** Of tables that a rebuild fills: only the owner reaches them. */
export const SHADOW_SCHEMA = 'projections_rebuilt';

/** An advisory lock that no other program uses in this database. */
const TABLES_LOCK = 7_330_566_513n;

/**
 * Rows are written by key: a plan made while a table was empty would otherwise keep scanning it, or sort all rows of an
 * account to find its last.
 */
export const PLAN_BY_KEY = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']
  .map((way) => `set local enable_${way} = off`)
  .join('; ');

/**
 * Begins a transaction on the tables of a schema. Its commit does not wait for the disk: rows and checkpoint are lost
 * together or not at all, and what a crash of Postgres loses is applied again from the ledger. The appends need the disk.
 */
export function beginIn(schema: string): string {
  return `begin; set local search_path = ${schema}, public; ${PLAN_BY_KEY};
    set local idle_in_transaction_session_timeout = 10000; set local synchronous_commit = off`;
}

/** The events of a batch are not those of the ledger. They came from elsewhere, or the ledger was restored. */
export class NotInLedger extends Error {
  override name = 'NotInLedger';
}

/**
 * Creates missing tables and indexes of projections, as the owner: a table's owner may add an index, a policy or a trigger, which
 * run as its readers and writers, so the projector may only write rows. Safe to call from many processes at the same time.
 * Existing ones are not touched: even `create index if not exists` locks out the projector that writes to the table, and the
 * two can deadlock.
 */
export async function ensureTables(
  pool: pg.Pool,
  projections: readonly Pick<Projection, 'tableSql'>[],
  schema = LIVE_SCHEMA,
): Promise<void> {
  await transact(pool, 'begin', async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [TABLES_LOCK]);
    await client.query(`set local search_path = ${schema}, public`);
    for (const { tableSql } of projections) {
      if (!(await isMissing(client, tableSql))) continue;
      await client.query(tableSql);
      const tables = namesOf(tableSql, CREATED_TABLE);
      if (schema === LIVE_SCHEMA) await grantRows(client, tables.join(', '));
    }
  });
}

/** Throws if a table or index of a projection is missing: a process that writes rows cannot create it. */
export async function assertTables(pool: pg.Pool, projections: readonly Projection[]) {
  await transact(pool, `begin; set local search_path = ${LIVE_SCHEMA}, public`, async (client) => {
    for (const { name, tableSql } of projections) {
      if (!(await isMissing(client, tableSql))) continue;
      throw new Error(`${name} has no table in this database: run \`npm run reelbook -- migrate\``);
    }
  });
}

async function isMissing(client: pg.PoolClient, tableSql: string): Promise<boolean> {
  const { rows } = await client.query<{ missing: boolean }>(
    'select bool_or(to_regclass(name) is null) as missing from unnest($1::text[]) as name',
    [namesOf(tableSql, CREATED_NAME)],
  );
  return rows[0]?.missing ?? false;
}

/** What the projector and readers may do with live tables. */
export async function grantRows(client: pg.PoolClient, tables: string): Promise<void> {
  await client.query(`grant select on ${tables} to reelbook_app;
    grant select, insert, update, delete on ${tables} to reelbook_projector`);
}

export function namesIn(schema: string, { tables }: Pick<Projection, 'tables'>): string {
  return tables.map(({ name }) => `${schema}.${name}`).join(', ');
}

const namesOf = (tableSql: string, pattern: RegExp) =>
  [...tableSql.matchAll(pattern)].map(([, name]) => name ?? '');
const CREATED_TABLE = /^create table if not exists (\w+)/gm;
const CREATED_NAME = /^create (?:table|(?:unique )?index) if not exists (\w+)/gm;

/** A projection and the right to move its checkpoint. */
export interface Member {
  readonly projection: Projection;
  readonly lease: Lease;
}

/** Applying one projection of a batch failed: `cause` has the error. The others did not fail. */
export class MemberFailed extends Error {
  override name = 'MemberFailed';
  readonly projection: Projection;
  constructor(projection: Projection, cause: unknown) {
    super(`${projection.name} failed`, { cause });
    this.projection = projection;
  }
}

export interface Batch {
  readonly events: readonly RecordedEvent[];
  readonly leaseMs: number;
  /** Of the tables; default: the live ones. */
  readonly schema?: string;
}

/** The tables without the indexes for readers: a table without readers is filled faster without. */
export function withoutIndexes(tableSql: string): string {
  return tableSql.replace(/create index [^;]*;/g, '');
}

/**
 * Applies consecutive events to the tables of projections that are at the same position, and moves their checkpoints, in one
 * transaction: all or nothing. Each event's hash must follow from the previous one, as `readLog` and the projector's feed
 * ensure; the last one is compared with the ledger, so an event that is not in the ledger cannot affect a projection. Throws
 * `LeaseLost`, `NotInLedger`, `MemberFailed`; then nothing has changed.
 */
export async function applyTogether(
  pool: pg.Pool,
  options: Batch & { readonly members: readonly Member[] },
): Promise<void> {
  const { members, events, leaseMs } = options;
  const { first, last } = endsOf(events);
  const folded = members.map(({ projection }) => {
    try {
      return { projection, changes: foldKnown(projection, events) };
    } catch (error) {
      throw new MemberFailed(projection, error);
    }
  });
  const leases = members.map(({ lease }) => lease);
  await transact(pool, beginIn(options.schema ?? LIVE_SCHEMA), async (client) => {
    // Executed in order, but sent together: nothing is committed before each has succeeded, and the first error is the
    // reason.
    await Promise.all([
      advance(client, leases, { from: first.position - 1, to: last.position, leaseMs }),
      assertInLedger(client, last),
      ...folded.map(({ projection, changes }) =>
        projection.apply(client, changes).catch((error: unknown) => {
          throw new MemberFailed(projection, error);
        }),
      ),
    ]);
  });
}

function endsOf(events: readonly RecordedEvent[]) {
  const first = events[0];
  const last = events.at(-1);
  assert(first && last, 'a batch has events');
  assert(last.position - first.position + 1 === events.length, 'a batch has no gaps');
  return { first, last };
}

async function assertInLedger(client: pg.PoolClient, { position, hash }: RecordedEvent) {
  const { rowCount } = await client.query({
    name: 'is-in-ledger',
    text: `select from public.events where position = $1 and hash = decode($2, 'hex')`,
    values: [position, hash],
  });
  if (rowCount !== 1)
    throw new NotInLedger(`the event at position ${position} differs from the ledger's`);
}

/** Runs `action` between `begin` and commit. After a failure the connection is closed, with its locks and settings. */
export async function transact(
  pool: pg.Pool,
  begin: string,
  action: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    await action(client);
    await client.query('commit');
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
  client.release();
}
