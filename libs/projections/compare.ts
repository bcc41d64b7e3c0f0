import { type Follower, readCheckpoints } from '@reelbook/event-store/checkpoint';
import { readLog } from '@reelbook/event-store/read-log';
import type pg from 'pg';
import type { Projection, Table } from './projection.ts';
import { LIVE_SCHEMA, PLAN_BY_KEY } from './run.ts';

const EVENTS_PER_BATCH = 5_000;
const ROWS_PER_FETCH = 5_000;

export interface Comparison {
  readonly equal: boolean;
  /** The position at which both were compared: the live checkpoint's. */
  readonly position: number;
  readonly rows: number;
  readonly firstDifference: Difference | null;
}

export interface Difference {
  readonly table: string;
  /** The row in the live table and the one in the replay, as Postgres writes rows; null: there is none. */
  readonly live: string | null;
  readonly replayed: string | null;
}

/**
 * Replays the book from zero into temporary tables up to the projection's own checkpoint, and compares every row of
 * the live tables, as they stood at that checkpoint, with it. The live tables are only read, and may go on.
 * `upTo`: throws when the live checkpoint has not come that far.
 * `onProgress` hears the position reached after each batch. `pool` needs three connections, in any role.
 */
export async function replayAndCompare(
  pool: pg.Pool,
  projection: Projection,
  o: { readonly upTo?: number; onProgress?(position: number): void } = {},
): Promise<Comparison> {
  return withClient(pool, async (live) => {
    // A replay may take longer than a transaction may usually lie idle.
    await live.query('set idle_in_transaction_session_timeout = 0');
    // One snapshot for the checkpoint and all rows: whatever is applied meanwhile is not in it.
    await live.query('begin isolation level repeatable read read only');
    const position = await checkpointOf(live, projection);
    if (position < (o.upTo ?? 0)) {
      throw new Error(
        `${projection.name} is at position ${position} and has not reached ${o.upTo}`,
      );
    }
    return withClient(pool, async (replay) => {
      await replayInto(pool, replay, projection, { upTo: position, onProgress: o.onProgress });
      let rows = 0;
      for (const table of projection.tables) {
        const result = await compareTable(live, replay, table);
        rows += result.rows;
        const { difference } = result;
        if (difference) return { equal: false, position, rows, firstDifference: difference };
      }
      return { equal: true, position, rows, firstDifference: null };
    });
  });
}

/**
 * Folds the events 1 to `upTo` into temporary tables of this client's session. They go with the session and shadow the
 * live ones for statements that name no schema.
 */
export async function replayInto(
  pool: pg.Pool,
  client: pg.PoolClient,
  projection: Projection,
  o: { readonly upTo: number; readonly onProgress?: ((position: number) => void) | undefined },
): Promise<void> {
  await client.query('set search_path = pg_temp, public');
  await client.query(projection.tableSql);
  const limitAt = (next: number) => Math.min(EVENTS_PER_BATCH, o.upTo - next + 1);
  let next = 1;
  let reading = next <= o.upTo ? readLog(pool, { from: next, limit: limitAt(next) }) : null;
  while (reading) {
    const events = await reading;
    if (events.length === 0) throw new Error(`the book ends before position ${o.upTo}`);
    next += events.length;
    // The next batch is read while this one is written.
    reading = next <= o.upTo ? readLog(pool, { from: next, limit: limitAt(next) }) : null;
    reading?.catch(() => {});
    await client.query(`begin; ${PLAN_BY_KEY}`);
    await projection.apply(client, projection.fold(events));
    await client.query('commit');
    o.onProgress?.(next - 1);
  }
}

async function checkpointOf(client: pg.PoolClient, { name, version }: Follower): Promise<number> {
  const all = await readCheckpoints(client);
  return all.find((one) => one.name === name && one.version === version)?.position ?? 0;
}

/** Walks both tables in the order of their key, side by side, to the first row that differs. */
async function compareTable(
  live: pg.PoolClient,
  replay: pg.PoolClient,
  { name: table, key }: Table,
): Promise<{ rows: number; difference: Difference | null }> {
  const nextLive = await openRows(live, `${LIVE_SCHEMA}.${table}`, key);
  await replay.query('begin');
  const nextReplayed = await openRows(replay, `pg_temp.${table}`, key);
  for (let rows = 0; ; ) {
    const [ours, theirs] = await Promise.all([nextLive(), nextReplayed()]);
    const length = Math.max(ours.length, theirs.length);
    if (length === 0) {
      await live.query('close all');
      await replay.query('commit');
      return { rows, difference: null };
    }
    for (let index = 0; index < length; index++) {
      const [liveRow = null, replayed = null] = [ours[index], theirs[index]];
      if (liveRow !== replayed) return { rows, difference: { table, live: liveRow, replayed } };
      rows++;
    }
  }
}

async function openRows(client: pg.PoolClient, table: string, key: readonly string[]) {
  await client.query(
    `declare compared cursor for select t::text as row from ${table} as t order by ${key.join(', ')}`,
  );
  return async () => {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_PER_FETCH} from compared`);
    return rows.map(({ row }) => row);
  };
}

/** Lends a client whose session nobody uses afterwards: it may hold temporary tables, settings and a snapshot. */
async function withClient<T>(
  pool: pg.Pool,
  act: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    return await act(client);
  } finally {
    client.release(true);
  }
}
