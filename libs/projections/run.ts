import { advance, type Lease } from '@reelbook/event-store/checkpoint';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type pg from 'pg';
import { foldKnown, type Projection } from './projection.ts';

/** Where the live tables are. The same tables stand elsewhere in a replay (`compare.ts`) or a rebuild (`beside.ts`). */
export const LIVE_SCHEMA = 'projections';

/** Any number that no other program uses as an advisory lock in this database. */
const TABLES_LOCK = 7_330_566_513n;

/**
 * Rows go to their tables by key: a plan made while a table was empty would else scan it for ever, or sort all rows of
 * an account to find its last.
 */
export const PLAN_BY_KEY = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']
  .map((way) => `set local enable_${way} = off`)
  .join('; ');

/**
 * Begins a transaction on the tables of a schema. Its commit does not wait for the disk: rows and checkpoint are lost
 * together or not at all, and what a crash of Postgres takes is applied again from the ledger. The appends need the disk.
 */
function beginIn(schema: string): string {
  return `begin; set local search_path = ${schema}, public; ${PLAN_BY_KEY};
    set local idle_in_transaction_session_timeout = 10000; set local synchronous_commit = off`;
}

/** The events of a batch are not those of the ledger. They came from elsewhere, or the ledger was restored. */
export class NotInLedger extends Error {
  override name = 'NotInLedger';
}

/**
 * Creates the tables and indexes that are missing. Safe to call from many processes at once, as owner or as projector.
 * What exists is not touched: even `create index if not exists` locks out the projector that writes to the table, and
 * the two can deadlock.
 */
export async function ensureTables(
  pool: pg.Pool,
  projections: readonly Pick<Projection, 'tableSql'>[],
  schema = LIVE_SCHEMA,
): Promise<void> {
  await transact(pool, 'begin', async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [TABLES_LOCK]);
    await client.query(
      `set local role reelbook_projector; set local search_path = ${schema}, public`,
    );
    for (const { tableSql } of projections) {
      const names = [...tableSql.matchAll(CREATED_NAME)].map(([, name]) => name);
      const { rows } = await client.query<{ missing: boolean }>(
        'select bool_or(to_regclass(name) is null) as missing from unnest($1::text[]) as name',
        [names],
      );
      if (rows[0]?.missing) await client.query(tableSql);
    }
  });
}

const CREATED_NAME = /^create (?:table|(?:unique )?index) if not exists (\w+)/gm;

/** A projection and the right to move its checkpoint. */
export interface Member {
  readonly projection: Projection;
  readonly lease: Lease;
}

/** One projection of a batch failed by itself: `cause` says how. The others would have gone on. */
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
  /** Of the tables; that of the live ones where it is not given. */
  readonly schema?: string;
}

/** `table.sql` without what only readers need: a table that nobody reads yet is filled faster without. */
export function withoutIndexes(tableSql: string): string {
  return tableSql.replace(/create index [^;]*;/g, '');
}

/**
 * Applies consecutive events to the tables of projections that are at the same position, and moves their checkpoints
 * behind them, in one transaction: all or nothing. Each event's hash must follow from the one before it, as `readLog`
 * and the feed of the projector assure; the last one is compared with the ledger, so nothing that is not in it can reach
 * a read model. Throws `LeaseLost`, `NotInLedger`, `MemberFailed`; then nothing has changed.
 */
export async function applyTogether(
  pool: pg.Pool,
  o: Batch & { readonly members: readonly Member[] },
): Promise<void> {
  const { members, events, leaseMs } = o;
  const { first, last } = endsOf(events);
  const folded = members.map(({ projection }) => {
    try {
      return { projection, changes: foldKnown(projection, events) };
    } catch (error) {
      throw new MemberFailed(projection, error);
    }
  });
  const leases = members.map(({ lease }) => lease);
  await transact(pool, beginIn(o.schema ?? LIVE_SCHEMA), async (client) => {
    // One after the other there, but sent together: nothing is committed before each was answered well, and what is
    // refused first is the reason.
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

/** `applyTogether` for one projection. Throws what its `fold` and `apply` throw as it is. */
export async function applyBatch(pool: pg.Pool, o: Batch & Member): Promise<void> {
  const { projection, lease, ...batch } = o;
  try {
    await applyTogether(pool, { ...batch, members: [{ projection, lease }] });
  } catch (error) {
    throw error instanceof MemberFailed ? error.cause : error;
  }
}

function endsOf(events: readonly RecordedEvent[]) {
  const first = events[0];
  const last = events.at(-1);
  assert(first && last, 'a batch holds events');
  assert(last.position - first.position + 1 === events.length, 'a batch has no holes');
  return { first, last };
}

async function assertInLedger(client: pg.PoolClient, { position, hash }: RecordedEvent) {
  const { rowCount } = await client.query({
    name: 'is-in-ledger',
    text: `select from public.events where position = $1 and hash = decode($2, 'hex')`,
    values: [position, hash],
  });
  if (rowCount !== 1) throw new NotInLedger(`position ${position} of the ledger is another event`);
}

/** Runs `act` between `begin` and commit. After any failure the connection is thrown away, with all it held. */
export async function transact(
  pool: pg.Pool,
  begin: string,
  act: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    await act(client);
    await client.query('commit');
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
  client.release();
}
