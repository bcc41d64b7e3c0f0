/**
 * Switches to a parallel copy in one transaction: the live checkpoint is locked, so its worker waits between two batches;
 * the tables change places by their schemas; the checkpoints follow. A reader's statement sees all old tables or all new
 * ones, never none: it has locked them, or waits and then finds the new names. The worker continues with its lease, at its
 * position. After a crash before the commit the old tables are live, after it the new ones.
 */
import type { Checkpoint } from '@reelbook/event-store/checkpoint';
import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';
import {
  CannotRebuild,
  catchUp,
  followerOf,
  type Place,
  readFollower,
  SCHEMA_OF,
  type Steps,
  type Taken,
} from './parallel.ts';
import type { Projection } from './projection.ts';
import { LIVE_SCHEMA, transact } from './run.ts';

const MOVING_SCHEMA = 'projections_moving';

/** Longest wait for a lock on one table, while later readers wait for it too. */
const LOCK_WAIT_MS = 200;
/** Longest wait for the live worker to finish its batch. */
const HOLD_WAIT_MS = 5_000;
/** Events that may be applied while the live worker waits. */
const CLOSE_MAX = 2_000;
const TRIES_MAX = 120;
/** The pause grows by this with every attempt, so that worker and readers are interrupted less and less often. */
const RETRY_STEP_MS = 50;
const RETRY_MAX_MS = 2_000;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

type Held = Pick<Checkpoint, 'position' | 'status'>;

/**
 * Brings a parallel copy to the position of the live one, unless it is beyond, and calls `action` while no process can move
 * either. The live worker waits meanwhile, so `action` is short. `client` is inside the transaction that locks the live
 * checkpoint.
 */
export async function lockBoth(
  taken: Taken,
  steps: Steps,
  action: (client: pg.PoolClient, live: Held) => Promise<void>,
): Promise<void> {
  const { pool, projection } = taken;
  const { name, version } = projection;
  await pool.query(
    'insert into checkpoints (name, version) values ($1, $2) on conflict (name, version) do nothing',
    [name, version],
  );
  for (;;) {
    const before = await readFollower(pool, projection);
    await catchUp([taken], before?.position ?? 0, steps);
    let close = false;
    await transact(pool, `begin; set local lock_timeout = ${HOLD_WAIT_MS}`, async (client) => {
      const { rows } = await client.query<Held>(
        `select least(position, (select max(position) from events)) as position, status
          from checkpoints where name = $1 and version = $2 for update`,
        [name, version],
      );
      const live = rows[0];
      assert(live, 'there is a live checkpoint');
      close = live.position - taken.position <= CLOSE_MAX;
      if (!close) return;
      await catchUp([taken], live.position, steps);
      await action(client, live);
    });
    if (close) return;
  }
}

/**
 * Makes a parallel copy the live one. What was live is kept as the replaced one; an earlier replaced one is dropped.
 * @returns the position at which they changed places. Throws `CannotRebuild` when readers never release the tables.
 */
export async function switchTo(taken: Taken, steps: Steps): Promise<number> {
  const { projection } = taken;
  for (let tries = 1; ; tries++) {
    steps.signal?.throwIfAborted();
    try {
      await lockBoth(taken, steps, (client, live) => changePlaces(client, taken, live));
      return taken.position;
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (tries === TRIES_MAX) {
        const why = `a reader holds the tables of ${projection.name} in an open transaction`;
        throw new CannotRebuild(`${why}; nothing was switched. Run this again when it has ended.`);
      }
      const waitMs = Math.min(tries * RETRY_STEP_MS, RETRY_MAX_MS);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

async function changePlaces(client: pg.PoolClient, taken: Taken, live: Held): Promise<void> {
  const { projection, place, lease } = taken;
  await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}; set local synchronous_commit = on`);
  const { rowCount } = await client.query(
    'delete from checkpoints where name = $1 and version = $2 and lease_epoch = $3',
    [lease.name, lease.version, lease.epoch],
  );
  if (rowCount !== 1) throw new CannotRebuild(`another process took ${lease.name} meanwhile`);
  // Before the live tables: a reader of the replaced ones must not delay readers of the live ones.
  if (place === 'rebuilt') await dropPlace(client, projection, 'replaced');
  await client.query(`lock table ${tablesIn(LIVE_SCHEMA, projection)} in access exclusive mode`);
  await move(client, projection, LIVE_SCHEMA, MOVING_SCHEMA);
  await move(client, projection, SCHEMA_OF[place], LIVE_SCHEMA);
  await move(client, projection, MOVING_SCHEMA, SCHEMA_OF.replaced);
  const replaced = followerOf(projection, 'replaced');
  await client.query('insert into checkpoints (name, version, position) values ($1, $2, $3)', [
    replaced.name,
    replaced.version,
    live.position,
  ]);
  // If it had stopped, or was behind, it continues from the position of the new one; a lease on it ends.
  await client.query(
    `update checkpoints set position = $3, status = 'running', error = null, holder = null,
        lease_until = null, lease_epoch = lease_epoch + 1, updated_at = clock_timestamp()
      where name = $1 and version = $2 and (position <> $3 or status <> 'running')`,
    [projection.name, projection.version, taken.position],
  );
}

/** Drops a parallel copy and its checkpoint. */
export async function discard(taken: Taken): Promise<void> {
  const { pool, projection, place, lease } = taken;
  await transact(pool, 'begin', async (client) => {
    const { rowCount } = await client.query(
      'select from checkpoints where name = $1 and version = $2 and lease_epoch = $3 for update',
      [lease.name, lease.version, lease.epoch],
    );
    if (rowCount !== 1) throw new CannotRebuild(`another process took ${lease.name} meanwhile`);
    await dropPlace(client, projection, place);
  });
}

async function dropPlace(client: pg.PoolClient, projection: Projection, place: Place) {
  const { name, version } = followerOf(projection, place);
  await client.query('delete from checkpoints where name = $1 and version = $2', [name, version]);
  await client.query(`drop table if exists ${tablesIn(SCHEMA_OF[place], projection)}`);
}

async function move(client: pg.PoolClient, { tables }: Projection, from: string, to: string) {
  for (const { name } of tables) {
    await client.query(`alter table ${from}.${name} set schema ${to}`);
  }
}

export function tablesIn(schema: string, { tables }: Projection): string {
  return tables.map(({ name }) => `${schema}.${name}`).join(', ');
}

function isLocked(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK;
}
