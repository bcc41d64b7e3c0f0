/**
 * Rebuilds a projection from the first event, in parallel with the live one, and compares the two row by row at one
 * position. Every step can be repeated: killed between any two, it continues from its own checkpoint when it is run again.
 */
import { type Lease, releaseLease } from '@reelbook/event-store/checkpoint';
import { readHead } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';
import { type Comparison, compareTable, readDifferent } from './compare.ts';
import {
  CannotRebuild,
  catchUp,
  KEEP_EVERY_MS,
  readFollower,
  readParallel,
  readTargetBeyond,
  SCHEMA_OF,
  type Steps,
  type Taken,
  takeParallel,
} from './parallel.ts';
import type { Projection } from './projection.ts';
import { LIVE_SCHEMA, transact } from './run.ts';
import { discard, lockBoth, switchTo, tablesIn } from './switch.ts';

export interface Rebuilding {
  readonly projection: Projection;
  /** This process's name, shown when a second one is refused. */
  readonly holder: string;
  readonly steps: Steps;
}

export interface Rebuilt {
  readonly name: string;
  /** The position from which an earlier rebuild was continued; 0: from the first event. */
  readonly from: number;
  readonly position: number;
  /** Null if there is nothing to compare: the live one stopped before, or was never built. */
  readonly comparison: Comparison | null;
  /** Whether it is the live one now. */
  readonly switched: boolean;
}

/**
 * Rebuilds, compares, and with `switch` makes the copy live, whether they were equal or not: the copy follows from the
 * ledger. Without `switch` it stays until the next call, a switch or `discardParallel`. `pool` has the role projector and
 * four connections. Throws `CannotRebuild`.
 */
export async function rebuild(
  pool: pg.Pool,
  { projection, ...o }: Rebuilding & { readonly switch: boolean },
): Promise<Rebuilt> {
  const [rebuilt] = await rebuildTogether(pool, { ...o, projections: [projection] });
  assert(rebuilt, 'one was rebuilt');
  return rebuilt;
}

/**
 * `rebuild` of several, with one read of the ledger. A failure of one ends it for all; run again, each continues from its
 * own position.
 */
export async function rebuildTogether(
  pool: pg.Pool,
  options: Omit<Rebuilding, 'projection'> & {
    readonly projections: readonly Projection[];
    readonly switch: boolean;
    /** Called for each as soon as it is compared, or switched to; an error ends the others. */
    onRebuilt?(rebuilt: Rebuilt): Promise<void>;
  },
): Promise<readonly Rebuilt[]> {
  const all: Taken[] = [];
  const keeping = setInterval(() => all.forEach(keepQuietly), KEEP_EVERY_MS);
  try {
    for (const projection of options.projections) {
      all.push(await takeParallel(pool, { ...options, projection, place: 'rebuilt' }));
    }
    const from = all.map(({ position }) => position);
    const lives = await Promise.all(options.projections.map((one) => readFollower(pool, one)));
    const { position: head } = await readHead(pool);
    const goals = all.map((taken, index) => {
      const live = lives[index];
      // A projection that was never built has nothing to compare with: its copy is built to the head directly.
      const isBegun = live && (live.position > 0 || live.holder !== null);
      return { taken, target: isBegun ? live.position : head };
    });
    await catchUpAll(goals, options.steps);
    const rebuilt: Rebuilt[] = [];
    for (const [index, taken] of [...all].entries()) {
      all.shift();
      const one = await finish(taken, options.steps, {
        switch: options.switch,
        from: from[index] ?? 0,
      });
      rebuilt.push(one);
      await options.onRebuilt?.(one);
    }
    return rebuilt;
  } finally {
    clearInterval(keeping);
    await Promise.all(all.map(({ lease }) => releaseLease(pool, lease).catch(() => {})));
  }
}

interface Goal {
  readonly taken: Taken;
  readonly target: number;
}

/** Those that are furthest behind first, together up to where one of them ends or joins the next. */
async function catchUpAll(goals: readonly Goal[], steps: Steps): Promise<void> {
  for (;;) {
    const behind = goals.filter(({ taken, target }) => taken.position < target);
    if (behind.length === 0) return;
    const lowest = Math.min(...behind.map(({ taken }) => taken.position));
    const group = behind.filter(({ taken }) => taken.position === lowest);
    const ahead = behind.map(({ taken }) => taken.position).filter((one) => one > lowest);
    const next = Math.min(...group.map(({ target }) => target), ...ahead);
    await catchUp(
      group.map(({ taken }) => taken),
      next,
      steps,
    );
  }
}

/** A renewal that fails is detected by the next step. */
function keepQuietly(taken: Taken): void {
  taken.keep().catch(() => {});
}

/** Makes the copy that the last switch replaced live again, caught up with the ledger. Throws `CannotRebuild`. */
export async function goBack(pool: pg.Pool, options: Rebuilding): Promise<Rebuilt> {
  await assertReplaced(pool, options.projection);
  const taken = await takeParallel(pool, { ...options, place: 'replaced' });
  return finish(taken, options.steps, { switch: true, from: taken.position });
}

export async function assertReplaced(pool: pg.Pool, projection: Projection): Promise<void> {
  if (await exists(pool, projection, 'replaced')) return;
  throw new CannotRebuild(
    `there is nothing to go back to: ${projection.name} was never switched, or its replaced copy was discarded`,
  );
}

/** Drops the rebuilt and the replaced copy. @returns those that existed. Throws `CannotRebuild` while one is in use. */
export async function discardParallel(
  pool: pg.Pool,
  options: Omit<Rebuilding, 'steps'>,
): Promise<readonly string[]> {
  const dropped: string[] = [];
  for (const place of ['rebuilt', 'replaced'] as const) {
    if (!(await exists(pool, options.projection, place))) continue;
    await discard(await takeParallel(pool, { ...options, place }));
    dropped.push(place);
  }
  return dropped;
}

async function exists(pool: pg.Pool, { name, version }: Projection, place: string) {
  const all = await readParallel(pool);
  return all.some((one) => one.name === `${name}@${place}` && one.version === version);
}

async function finish(
  taken: Taken,
  steps: Steps,
  options: Pick<Rebuilt, 'from'> & { readonly switch: boolean },
): Promise<Rebuilt> {
  let lease: Lease | null = taken.lease;
  // Indexes and comparisons of large tables take longer than a lease.
  const keeping = setInterval(() => keepQuietly(taken), KEEP_EVERY_MS);
  try {
    const { pool, projection, place } = taken;
    const own = await readFollower(pool, taken.lease);
    if (own && own.position < taken.position) {
      const where = `its checkpoint is at ${taken.position}, the ledger ends at ${own.position}`;
      throw new CannotRebuild(
        `the copy of ${projection.name} cannot be used: ${where}; discard it`,
      );
    }
    const live = await readFollower(pool, projection);
    if (live) await catchUp([taken], live.position, steps);
    // The readers' indexes once it is filled. Not `ensureTables`: a projector that starts would wait for its lock.
    const begin = `begin; set local search_path = ${SCHEMA_OF[place]}, public`;
    await transact(pool, begin, async (client) => void (await client.query(projection.tableSql)));
    const comparison = await compareBoth(taken, steps);
    const beyond = await readTargetBeyond(pool, projection);
    if (beyond !== null) await catchUp([taken], beyond, steps);
    if (options.switch) {
      await switchTo(taken, steps);
      lease = null;
    }
    const { name } = projection;
    return {
      name,
      from: options.from,
      position: taken.position,
      comparison,
      switched: options.switch,
    };
  } finally {
    clearInterval(keeping);
    // So that the next process need not wait; if the database is away the lease expires.
    if (lease) await releaseLease(taken.pool, lease).catch(() => {});
  }
}

/** Compares all rows of both at a point in time at which they were at the same position. */
async function compareBoth(taken: Taken, steps: Steps): Promise<Comparison | null> {
  const { pool } = taken;
  const client = await pool.connect();
  try {
    let position = 0;
    await lockBoth(taken, steps, async (_holder, live) => {
      if (live.position !== taken.position) return;
      position = live.position;
      await openSnapshot(client, taken);
    });
    return position === 0 ? null : await compareTables(client, taken, { position, steps });
  } finally {
    client.release(true);
  }
}

async function openSnapshot(client: pg.PoolClient, { projection, place }: Taken): Promise<void> {
  await client.query(`set idle_in_transaction_session_timeout = 0;
    begin isolation level repeatable read read only`);
  // Before the snapshot: no process moves or drops the tables during the comparison.
  for (const schema of [LIVE_SCHEMA, SCHEMA_OF[place]]) {
    await client.query(`lock table ${tablesIn(schema, projection)} in access share mode`);
  }
  await client.query('select position from checkpoints');
}

async function compareTables(
  client: pg.PoolClient,
  taken: Taken,
  options: { readonly position: number; readonly steps: Steps },
): Promise<Comparison> {
  const { position } = options;
  let rows = 0;
  for (const { name, key } of taken.projection.tables) {
    const [live, replayed] = [`${LIVE_SCHEMA}.${name}`, `${SCHEMA_OF[taken.place]}.${name}`];
    const result = await compareTable({
      name,
      key,
      ours: { client, table: live },
      theirs: { client, table: replayed },
      async onRows() {
        options.steps.signal?.throwIfAborted();
      },
    });
    rows += result.rows;
    const { difference } = result;
    if (difference) {
      const different = await readDifferent(client, { name, live, replayed, position });
      return { equal: false, position, rows, firstDifference: difference, different };
    }
  }
  return { equal: true, position, rows, firstDifference: null };
}
