/**
 * A read model beside the live one: its own tables in a schema of their own, its own checkpoint, its own lease. Nobody
 * reads it until it is switched to (`switch.ts`). `rebuilt` grows from the first event; `replaced` is what a switch took
 * the place of, kept for going back.
 */
import {
  acquireLease,
  type Checkpoint,
  type Follower,
  type Lease,
  readCheckpoints,
  renewLeases,
} from '@reelbook/event-store/checkpoint';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';
import type { Db, Projection } from './projection.ts';
import { applyBatch, ensureTables, withoutIndexes } from './run.ts';

export type Place = 'rebuilt' | 'replaced';

/** Schemas of migrations/0005_read_models.sql. */
export const SCHEMA_OF: Readonly<Record<Place, string>> = {
  rebuilt: 'projections_rebuilt',
  replaced: 'projections_replaced',
};

/** Events applied in one transaction. */
const BATCH_MAX = 5_000;
/** After a crash another may go on when it has run out. */
const LEASE_MS = 15_000;
export const KEEP_EVERY_MS = LEASE_MS / 3;

/** What was asked for cannot be done as things stand. The message says why, to a person. */
export class CannotRebuild extends Error {
  override name = 'CannotRebuild';
}

export interface Steps {
  readonly signal?: AbortSignal;
  /** Hears where the read model beside stands, and where the one to catch up with does. */
  onProgress?(o: { readonly position: number; readonly target: number }): void;
}

/** A read model beside the live one that this process alone may move. */
export interface Taken {
  readonly pool: pg.Pool;
  readonly projection: Projection;
  readonly place: Place;
  readonly lease: Lease;
  /** Renews the lease. To be called every KEEP_EVERY_MS. */
  keep(): Promise<void>;
  /** Everything up to here is applied. */
  readonly position: number;
  /** Applies the book up to a position. Throws `CannotRebuild` at an event that cannot be applied. */
  catchUp(target: number, steps: Steps): Promise<void>;
}

/** The checkpoint of a read model beside. No projection has such a name, so nobody takes it for a live one. */
export function followerOf({ name, version }: Follower, place: Place): Follower {
  return { name: `${name}@${place}`, version };
}

export function isBeside({ name }: Pick<Follower, 'name'>): boolean {
  return name.includes('@');
}

/** What stands beside the live read models, by name: for whoever shows or continues a rebuild. */
export async function readBeside(db: Db): Promise<readonly (Checkpoint & { of: string })[]> {
  const checkpoints = await readCheckpoints(db);
  return checkpoints
    .filter(isBeside)
    .map((one) => ({ ...one, of: one.name.slice(0, one.name.indexOf('@')) }));
}

/** The checkpoint of that very name and version, or null when nobody ever worked on it. */
export async function readFollower(
  db: Db,
  { name, version }: Follower,
): Promise<Checkpoint | null> {
  const checkpoints = await readCheckpoints(db);
  return checkpoints.find((one) => one.name === name && one.version === version) ?? null;
}

/**
 * The head where the live one will not come along, for it has stopped or was never begun; else null: one beside goes as
 * far as the live one, so that they can be compared.
 */
export async function readTargetBeyond(pool: pg.Pool, of: Projection): Promise<number | null> {
  const live = await readFollower(pool, of);
  if (live?.status === 'running' && live.position > 0) return null;
  return (await readHead(pool)).position;
}

/** Takes its lease and makes its tables, and the live ones where there are none. Throws `CannotRebuild` while another process has it. */
export async function takeBeside(
  pool: pg.Pool,
  o: { readonly projection: Projection; readonly place: Place; readonly holder: string },
): Promise<Taken> {
  const { projection, place, holder } = o;
  const schema = SCHEMA_OF[place];
  const follower = followerOf(projection, place);
  const taken = await acquireLease(pool, { ...follower, holder, leaseMs: LEASE_MS });
  if (!taken) throw await busy(pool, follower);
  // After the lease: whoever drops the tables has it meanwhile.
  await ensureTables(pool, [{ tableSql: withoutIndexes(projection.tableSql) }], schema);
  await ensureTables(pool, [projection]);
  const lease = taken;
  let position = lease.position;

  async function catchUp(target: number, { signal, onProgress }: Steps): Promise<void> {
    const read = (from: number, most: number) => {
      if (from > target) return null;
      const reading = readLog(pool, { from, limit: Math.min(most, target - from + 1) });
      reading.catch(() => {});
      return reading;
    };
    let limit = BATCH_MAX;
    for (let reading = read(position + 1, limit); reading; ) {
      signal?.throwIfAborted();
      const events = await reading;
      const last = events.at(-1);
      assert(last, `the book ends before position ${target}`);
      // The next batch is read while this one is written.
      reading = read(last.position + 1, limit);
      const failure = await applyBatch(pool, {
        projection,
        lease,
        events,
        leaseMs: LEASE_MS,
        schema,
      })
        .then(() => null)
        .catch((error: unknown) => error);
      if (failure === null) {
        position = last.position;
        onProgress?.({ position, target });
        continue;
      }
      if (!isPoison(failure)) throw failure;
      if (events.length === 1) throw poisoned(projection, last.position, failure);
      // By halves to the very event, with all before it applied.
      limit = Math.floor(events.length / 2);
      reading = read(position + 1, limit);
    }
  }

  return {
    pool,
    projection,
    place,
    lease,
    keep: () => renewLeases(pool, [lease], LEASE_MS),
    catchUp,
    get position() {
      return position;
    },
  };
}

async function busy(pool: pg.Pool, follower: Follower): Promise<CannotRebuild> {
  const other = await readFollower(pool, follower);
  const since = other ? ` by ${other.holder} at position ${other.position}` : '';
  const until = other?.leaseUntil ? ` If it died, it is free at ${other.leaseUntil}.` : '';
  return new CannotRebuild(`${follower.name} is being worked on${since}.${until}`);
}

/** SQLSTATE classes of what an event may do to a statement: data, integrity, a function's own refusal. */
const POISON_STATE = /^(22|23|42|P0)/;

/** An error that the event itself brings about, not the state of the database or the lease. */
function isPoison(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error) return POISON_STATE.test(String(error.code));
  return error.name === 'Bug' || error instanceof TypeError || error instanceof RangeError;
}

function poisoned(projection: Projection, position: number, error: unknown): CannotRebuild {
  const why = error instanceof Error ? error.message : String(error);
  return new CannotRebuild(
    `${projection.name} cannot apply the event at position ${position}: ${why}. What is before it stands beside the live one; mend the code and run this again.`,
  );
}
