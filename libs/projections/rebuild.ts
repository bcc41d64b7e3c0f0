/**
 * Rebuilds projections from the first event in tables of their own, which no reader uses, compares them row by row with the
 * live ones at one position, and makes them the live ones in a short transaction. After a crash before its commit the old
 * tables are live, after it the new ones; a rebuild that was killed begins again.
 */
import { readBatches, readHead } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type pg from 'pg';
import { type Comparison, compareTable, lockForSnapshot, readDifferent } from './compare.ts';
import { foldKnown, type Projection, readFollower } from './projection.ts';
import {
  beginIn,
  ensureTables,
  grantRows,
  LIVE_SCHEMA,
  namesIn,
  SHADOW_SCHEMA,
  transact,
  withoutIndexes,
} from './run.ts';

/** Events applied in one transaction. */
const BATCH_MAX = 5_000;
/** Batches written in parallel: of the connections of a rebuild one reads, and one holds the lock. */
const WRITING_MAX = 3;
/** An advisory lock that no other program uses in this database: one rebuild at a time. */
const LOCK = 7_330_566_514n;

/** Longest wait for a lock on a table, while later readers wait for it too. */
const LOCK_WAIT_MS = 200;
/** Longest wait for the live worker to finish its batch. */
const HOLD_WAIT_MS = 5_000;
/** Events that may be applied while the live worker waits. */
const CLOSE_MAX = 2_000;
/** With the pauses about twenty minutes, as long as a comparison of an audit may read the tables. */
const TRIES_MAX = 600;
/** The pause grows by this with every attempt, so that worker and readers are interrupted less and less often. */
const RETRY_STEP_MS = 50;
const RETRY_MAX_MS = 2_000;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** The request cannot be executed in the current state. The message states why, for operators. */
export class CannotRebuild extends Error {
  override name = 'CannotRebuild';
}

export interface Rebuilt {
  readonly name: string;
  readonly position: number;
  /** Null if there is nothing to compare: the live one was never built. */
  readonly comparison: Comparison | null;
}

interface Steps {
  readonly signal?: AbortSignal;
  /** Receives the position applied, and the position to reach. */
  onProgress?(options: { readonly position: number; readonly target: number }): void;
}

interface Shadow {
  readonly projection: Projection;
  /** Everything up to here is applied. */
  position: number;
}

/**
 * Rebuilds, compares and makes the new tables live, whether they were equal or not: they follow from the ledger. The ledger
 * is read once for all. `pool` has the role owner and five connections. `onRebuilt` is called for each as soon as it is live;
 * an error ends the others. Throws `CannotRebuild`.
 */
export async function rebuild(
  pool: pg.Pool,
  projections: readonly Projection[],
  options: Steps & { onRebuilt?(rebuilt: Rebuilt): Promise<void> } = {},
): Promise<readonly Rebuilt[]> {
  return alone(pool, async () => {
    await dropShadows(pool);
    await ensureTables(pool, projections);
    const bare = projections.map(({ tableSql }) => ({ tableSql: withoutIndexes(tableSql) }));
    await ensureTables(pool, bare, SHADOW_SCHEMA);
    const shadows = projections.map((projection): Shadow => ({ projection, position: 0 }));
    await fill(pool, shadows, options);
    const rebuilt: Rebuilt[] = [];
    for (const shadow of shadows) {
      const one = await finish(pool, shadow, options);
      rebuilt.push(one);
      await options.onRebuilt?.(one);
    }
    return rebuilt;
  });
}

async function alone<T>(pool: pg.Pool, action: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [LOCK]);
    if (!rows[0]?.taken) throw new CannotRebuild('another rebuild is running');
    return await action();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
}

async function dropShadows(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1`,
    [SHADOW_SCHEMA],
  );
  if (rows.length > 0) await pool.query(`drop table ${rows.map(({ name }) => name).join(', ')}`);
}

/** Each up to where its live one is, so that they can be compared; one without a live one up to the head. */
async function fill(pool: pg.Pool, shadows: readonly Shadow[], steps: Steps): Promise<void> {
  const { position: head } = await readHead(pool);
  const goals = new Map<Shadow, number>();
  for (const shadow of shadows) {
    const live = await readFollower(pool, shadow.projection);
    const isBegun = live && (live.position > 0 || live.holder !== null);
    goals.set(shadow, isBegun ? live.position : head);
  }
  await apply(pool, goals, steps);
}

/** Applies the ledger to shadows that are at one position, each up to its goal. The first failure ends it for all. */
async function apply(
  pool: pg.Pool,
  goals: ReadonlyMap<Shadow, number>,
  { signal, onProgress }: Steps,
): Promise<void> {
  const from = Math.min(...[...goals.keys()].map(({ position }) => position)) + 1;
  const target = Math.max(...goals.values());
  onProgress?.({ position: from - 1, target });
  for await (const events of readBatches(pool, { from, to: target, limit: BATCH_MAX })) {
    signal?.throwIfAborted();
    const waiting = [...goals];
    const write = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [shadow, goal] = next;
        await applyTo(
          pool,
          shadow,
          events.filter(({ position }) => position <= goal),
        );
      }
    };
    const written = await Promise.allSettled(Array.from({ length: WRITING_MAX }, write));
    for (const one of written) if (one.status === 'rejected') throw one.reason;
    onProgress?.({ position: events.at(-1)?.position ?? target, target });
  }
}

async function applyTo(
  pool: pg.Pool,
  shadow: Shadow,
  events: readonly RecordedEvent[],
): Promise<void> {
  const { projection } = shadow;
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) return;
  assert(first.position === shadow.position + 1, 'no event is left out');
  try {
    const changes = foldKnown(projection, events);
    await transact(pool, beginIn(SHADOW_SCHEMA), (client) => projection.apply(client, changes));
  } catch (failure) {
    if (!isPoison(failure)) throw failure;
    if (events.length === 1) {
      const where = `${projection.name} cannot apply the event at position ${last.position}`;
      throw new CannotRebuild(`${where}: ${(failure as Error).message}`, { cause: failure });
    }
    // Down to the event that cannot be applied.
    const middle = Math.ceil(events.length / 2);
    await applyTo(pool, shadow, events.slice(0, middle));
    return applyTo(pool, shadow, events.slice(middle));
  }
  shadow.position = last.position;
}

const catchUp = (pool: pg.Pool, shadow: Shadow, to: number, { signal }: Steps) =>
  shadow.position < to
    ? apply(pool, new Map([[shadow, to]]), { ...(signal && { signal }) })
    : Promise.resolve();

async function finish(pool: pg.Pool, shadow: Shadow, steps: Steps): Promise<Rebuilt> {
  const { projection } = shadow;
  // The indexes of readers once it is filled.
  await transact(
    pool,
    `begin; set local search_path = ${SHADOW_SCHEMA}, public`,
    async (client) => {
      await client.query(projection.tableSql);
      await client.query(`analyze ${namesIn(SHADOW_SCHEMA, projection)}`);
    },
  );
  const comparison = await compareBoth(pool, shadow, steps);
  const live = await readFollower(pool, projection);
  if (live?.status !== 'running' || live.position === 0) {
    await catchUp(pool, shadow, (await readHead(pool)).position, steps);
  }
  await makeLive(pool, shadow, steps);
  return { name: projection.name, position: shadow.position, comparison };
}

interface Live {
  readonly position: number;
  readonly status: string;
}

/**
 * Brings the shadow to the position of the live one, unless it is beyond, and calls `action` while the live one cannot move.
 * Its worker waits meanwhile, so `action` is short. `client` is inside the transaction that locks the checkpoint.
 */
async function whileHeld(
  pool: pg.Pool,
  shadow: Shadow,
  steps: Steps,
  action: (client: pg.PoolClient, live: Live) => Promise<void>,
): Promise<void> {
  const { name, version } = shadow.projection;
  await pool.query(
    'insert into checkpoints (name, version) values ($1, $2) on conflict (name, version) do nothing',
    [name, version],
  );
  for (let isDone = false; !isDone; ) {
    const before = await readFollower(pool, shadow.projection);
    await catchUp(pool, shadow, before?.position ?? 0, steps);
    await transact(pool, `begin; set local lock_timeout = ${HOLD_WAIT_MS}`, async (client) => {
      const { rows } = await client.query<Live>(
        `select least(position, (select max(position) from events)) as position, status
          from checkpoints where name = $1 and version = $2 for update`,
        [name, version],
      );
      const live = rows[0];
      assert(live, 'there is a live checkpoint');
      if (live.position - shadow.position > CLOSE_MAX) return;
      await catchUp(pool, shadow, live.position, steps);
      await action(client, live);
      isDone = true;
    });
  }
}

/** Compares all rows of both at a point in time at which they were at the same position. */
async function compareBoth(
  pool: pg.Pool,
  shadow: Shadow,
  steps: Steps,
): Promise<Comparison | null> {
  const { projection } = shadow;
  const client = await pool.connect();
  try {
    let position = 0;
    await whileHeld(pool, shadow, steps, async (_holder, live) => {
      if (live.position !== shadow.position || live.position === 0) return;
      position = live.position;
      await lockForSnapshot(client, projection, [LIVE_SCHEMA, SHADOW_SCHEMA]);
      await client.query('select from checkpoints');
    });
    if (position === 0) return null;
    let rows = 0;
    for (const { name, key } of projection.tables) {
      steps.signal?.throwIfAborted();
      const [live, replayed] = [`${LIVE_SCHEMA}.${name}`, `${SHADOW_SCHEMA}.${name}`];
      const sides = { ours: { client, table: live }, theirs: { client, table: replayed } };
      const result = await compareTable({ name, key, ...sides });
      rows += result.rows;
      const { difference } = result;
      if (difference) {
        const different = await readDifferent(client, { name, live, replayed, position });
        return { equal: false, position, rows, firstDifference: difference, different };
      }
    }
    return { equal: true, position, rows, firstDifference: null };
  } finally {
    client.release(true);
  }
}

/** Throws `CannotRebuild` when readers never release the live tables. */
async function makeLive(pool: pg.Pool, shadow: Shadow, steps: Steps): Promise<void> {
  for (let tries = 1; ; tries++) {
    steps.signal?.throwIfAborted();
    try {
      await whileHeld(pool, shadow, steps, (client) => changePlaces(client, shadow));
      return;
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (tries === TRIES_MAX) {
        const why = `a reader holds the tables of ${shadow.projection.name} in an open transaction`;
        throw new CannotRebuild(`${why}; they were not replaced`);
      }
      const waitMs = Math.min(tries * RETRY_STEP_MS, RETRY_MAX_MS);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/**
 * A reader's statement reads all old rows or all new ones: it has locked the tables, or waits and then finds the new ones. A
 * reader with an older snapshot locks the tables before it (`lockForSnapshot`), because it would not see the new rows.
 */
async function changePlaces(
  client: pg.PoolClient,
  { projection, position }: Shadow,
): Promise<void> {
  await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}; set local synchronous_commit = on`);
  await client.query(`drop table ${namesIn(LIVE_SCHEMA, projection)}`);
  for (const { name } of projection.tables) {
    await client.query(`alter table ${SHADOW_SCHEMA}.${name} set schema ${LIVE_SCHEMA}`);
  }
  await grantRows(client, namesIn(LIVE_SCHEMA, projection));
  // If it had stopped, or was behind, it continues from the position of the new tables; a lease on it ends.
  await client.query(
    `update checkpoints set position = $3, status = 'running', error = null, holder = null,
        lease_until = null, lease_epoch = lease_epoch + 1, updated_at = clock_timestamp()
      where name = $1 and version = $2 and (position <> $3 or status <> 'running')`,
    [projection.name, projection.version, position],
  );
}

function isLocked(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK;
}

/** SQLSTATE classes of what an event may cause in a statement: data, integrity, size, an exception of a function. */
const POISON_STATE = /^(22|23|42|54|P0)/;

/** An error that the event causes, not the state of the database or the lease. */
export function isPoison(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error) return POISON_STATE.test(String(error.code));
  // Of JavaScript: a value of another type, out of range, or no integer.
  return error.name === 'Bug' || /^(Type|Range|Syntax)Error$/.test(error.name);
}
