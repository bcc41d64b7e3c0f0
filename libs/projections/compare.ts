import { createHash } from 'node:crypto';
import { readBatches } from '@reelbook/event-store/read-log';
import type { DifferentRows } from '@reelbook/ledger/operators/projection-actions';
import { toPlainText } from '@reelbook/ledger/text';
import type pg from 'pg';
import { foldKnown, type Projection, readFollower } from './projection.ts';
import { LIVE_SCHEMA, namesIn, PLAN_BY_KEY, withoutIndexes } from './run.ts';

const EVENTS_PER_BATCH = 5_000;
const ROWS_PER_FETCH = 5_000;

/** Rows of each side in the digest; those kept, and their length, fit into one event. */
const DIFFERENT_MAX = 10_000;
const KEPT_MAX = 20;
const ROW_MAX_LENGTH = 1_000;

export interface Comparison {
  readonly equal: boolean;
  /** The position of the comparison: the live checkpoint's. */
  readonly position: number;
  readonly rows: number;
  readonly firstDifference: Difference | null;
  /** Of a rebuild. */
  readonly different?: DifferentRows;
}

export interface Difference {
  readonly table: string;
  /** The row in the live table and the one in the replay, as Postgres prints rows; null: no row. */
  readonly live: string | null;
  readonly replayed: string | null;
}

/**
 * Replays the ledger from zero into temporary tables up to the projection's own checkpoint, and compares every row with the
 * live tables as of that checkpoint. The live tables are only read, and may advance; a rebuild that ends meanwhile
 * waits for the comparison.
 * `upTo`: throws when the live checkpoint has not reached it.
 * `onProgress` receives the position reached after each batch. `pool` needs three connections, in any role.
 */
export async function replayAndCompare(
  pool: pg.Pool,
  projection: Projection,
  options: { readonly upTo?: number; onProgress?(position: number): void } = {},
): Promise<Comparison> {
  return withClient(pool, async (live) => {
    // One snapshot for the checkpoint and all rows: it omits what is applied meanwhile.
    await lockForSnapshot(live, projection, [LIVE_SCHEMA]);
    const position = (await readFollower(live, projection))?.position ?? 0;
    if (position < (options.upTo ?? 0)) {
      throw new Error(
        `${projection.name} is at position ${position} and has not reached ${options.upTo}`,
      );
    }
    return withClient(pool, async (replay) => {
      await replayInto(pool, replay, projection, {
        upTo: position,
        onProgress: options.onProgress,
      });
      await replay.query('begin');
      let rows = 0;
      for (const { name, key } of projection.tables) {
        const result = await compareTable({
          name,
          key,
          ours: { client: live, table: `${LIVE_SCHEMA}.${name}` },
          theirs: { client: replay, table: `pg_temp.${name}` },
        });
        rows += result.rows;
        const { difference } = result;
        if (difference) return { equal: false, position, rows, firstDifference: difference };
      }
      return { equal: true, position, rows, firstDifference: null };
    });
  });
}

/**
 * Folds the events 1 to `upTo` into temporary tables of this client's session. They are dropped with the session and shadow
 * the live ones in statements without a schema.
 */
async function replayInto(
  pool: pg.Pool,
  client: pg.PoolClient,
  projection: Projection,
  options: {
    readonly upTo: number;
    readonly onProgress?: ((position: number) => void) | undefined;
  },
): Promise<void> {
  await client.query('set search_path = pg_temp, public');
  await client.query(withoutIndexes(projection.tableSql));
  const batches = readBatches(pool, { from: 1, to: options.upTo, limit: EVENTS_PER_BATCH });
  for await (const events of batches) {
    await client.query(`begin; ${PLAN_BY_KEY}`);
    await projection.apply(client, foldKnown(projection, events));
    await client.query('commit');
    options.onProgress?.(events.at(-1)?.position ?? 0);
  }
}

/**
 * Begins a transaction on tables of a projection whose snapshot its first query takes. It locks them before: a snapshot that is
 * older than a rebuilt table would show it without rows. It may take longer than the default limit for idle transactions.
 */
export async function lockForSnapshot(
  client: pg.PoolClient,
  projection: Projection,
  schemas: readonly string[],
): Promise<void> {
  await client.query(`set idle_in_transaction_session_timeout = 0;
    begin isolation level repeatable read read only`);
  for (const schema of schemas) {
    await client.query(`lock table ${namesIn(schema, projection)} in access share mode`);
  }
}

interface Side {
  readonly client: pg.PoolClient;
  /** With its schema. */
  readonly table: string;
}

/** Reads both tables in the order of their key, in parallel, to the first row that differs. */
export async function compareTable(options: {
  readonly name: string;
  readonly key: readonly string[];
  readonly ours: Side;
  readonly theirs: Side;
  /** Awaited after every step, with the rows compared so far. */
  onRows?(rows: number): Promise<void>;
}): Promise<{ rows: number; difference: Difference | null }> {
  const ours = await openRows(options.ours, 'ours', options.key);
  const theirs = await openRows(options.theirs, 'theirs', options.key);
  for (let rows = 0; ; ) {
    const [left, right] = await Promise.all([ours.next(), theirs.next()]);
    const length = Math.max(left.length, right.length);
    if (length === 0) {
      await Promise.all([ours.close(), theirs.close()]);
      return { rows, difference: null };
    }
    for (let index = 0; index < length; index++) {
      const [live = null, replayed = null] = [left[index], right[index]];
      if (live !== replayed) return { rows, difference: { table: options.name, live, replayed } };
      rows++;
    }
    await options.onRows?.(rows);
  }
}

/** The rows that only one of two tables of one database has, as evidence for the ledger. */
export async function readDifferent(
  client: pg.PoolClient,
  {
    name,
    live,
    replayed,
    position,
  }: {
    readonly name: string;
    readonly live: string;
    readonly replayed: string;
    readonly position: number;
  },
): Promise<DifferentRows> {
  const without = async (one: string, other: string) => {
    const { rows } = await client.query<{ row: string }>(
      `select t::text as row from ${one} as t except all select t::text from ${other} as t
        order by 1 limit ${DIFFERENT_MAX}`,
    );
    return rows.map(({ row }) => row);
  };
  const sides = [await without(live, replayed), await without(replayed, live)] as const;
  const digest = createHash('sha256').update(sides.flat().join('\n')).digest('hex');
  const [first, second] = sides.map((rows) =>
    rows.slice(0, KEPT_MAX).map((row) => toPlainText(row, ROW_MAX_LENGTH)),
  ) as [string[], string[]];
  const count = sides.flat().length;
  return { table: name, position, count, digest, live: first, replayed: second };
}

async function openRows({ client, table }: Side, cursor: string, key: readonly string[]) {
  await client.query(
    `declare ${cursor} cursor for select t::text as row from ${table} as t order by ${key.join(', ')}`,
  );
  return {
    async next() {
      const { rows } = await client.query<{ row: string }>(
        `fetch ${ROWS_PER_FETCH} from ${cursor}`,
      );
      return rows.map(({ row }) => row);
    },
    close: () => client.query(`close ${cursor}`),
  };
}

/** Lends a client whose session is not used again: it may have temporary tables, settings and a snapshot. */
async function withClient<T>(
  pool: pg.Pool,
  action: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    return await action(client);
  } finally {
    client.release(true);
  }
}
