/**
 * A parallel copy of a projection: its own tables in a separate schema, its own checkpoint, its own lease. No reader uses it
 * until a switch (`switch.ts`). `rebuilt` grows from the first event; `replaced` is what a switch replaced, kept for going
 * back.
 */
import {
  acquireLease,
  type Checkpoint,
  type Follower,
  type Lease,
  readCheckpoints,
  renewLeases,
} from '@reelbook/event-store/checkpoint';
import { rowOf, tables } from '@reelbook/event-store/query';
import { readBatches, readHead } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
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
/** Batches written in parallel: of the four connections of a rebuild one is left for reading and for the leases. */
const WRITING_MAX = 3;
/** After a crash another process may continue when the lease has expired. */
const LEASE_MS = 15_000;
export const KEEP_EVERY_MS = LEASE_MS / 3;

/** The request cannot be executed in the current state. The message states why, for operators. */
export class CannotRebuild extends Error {
  override name = 'CannotRebuild';
}

export interface Steps {
  readonly signal?: AbortSignal;
  /** Receives the position of the parallel copy, and the position to reach. */
  onProgress?(options: { readonly position: number; readonly target: number }): void;
}

/** A parallel copy whose lease this process holds. */
export interface Taken {
  readonly pool: pg.Pool;
  readonly projection: Projection;
  readonly place: Place;
  readonly lease: Lease;
  /** Renews the lease, which a batch that is being written does itself. Call it every KEEP_EVERY_MS. */
  keep(): Promise<void>;
  /** Whether a batch is being written. */
  isWriting: boolean;
  /** Everything up to here is applied. */
  position: number;
}

/** The checkpoint of a parallel copy. No projection has such a name, so it is never taken for a live one. */
export function followerOf({ name, version }: Follower, place: Place): Follower {
  return { name: `${name}@${place}`, version };
}

export function isParallel({ name }: Pick<Follower, 'name'>): boolean {
  return name.includes('@');
}

const END = tables.selectFrom('events').select(({ fn }) => fn.max('position').as('position'));

/** The checkpoints of parallel copies, for displaying or continuing a rebuild. */
export async function readParallel(db: Db): Promise<readonly (Checkpoint & { of: string })[]> {
  const checkpoints = await readCheckpoints(db);
  return checkpoints
    .filter(isParallel)
    .map((one) => ({ ...one, of: one.name.slice(0, one.name.indexOf('@')) }));
}

/**
 * The checkpoint of that name and version, or null when there is none. One beyond the last event counts as at that event:
 * nothing else can have been applied, and a rebuild repairs it.
 */
export async function readFollower(
  db: Db,
  { name, version }: Follower,
): Promise<Checkpoint | null> {
  const checkpoints = await readCheckpoints(db);
  const found = checkpoints.find((one) => one.name === name && one.version === version);
  if (!found) return null;
  const end = (await rowOf(db, END))?.position ?? 0;
  return { ...found, position: Math.min(found.position, end) };
}

/**
 * The head if the live projection has stopped or was never built; else null: a copy catches up with the live projection, so
 * that they can be compared.
 */
export async function readTargetBeyond(pool: pg.Pool, of: Projection): Promise<number | null> {
  const live = await readFollower(pool, of);
  if (live?.status === 'running' && live.position > 0) return null;
  return (await readHead(pool)).position;
}

/** Takes its lease and creates its tables, and the live ones if they are missing. Throws `CannotRebuild` while another process has it. */
export async function takeParallel(
  pool: pg.Pool,
  options: { readonly projection: Projection; readonly place: Place; readonly holder: string },
): Promise<Taken> {
  const { projection, place, holder } = options;
  const schema = SCHEMA_OF[place];
  const follower = followerOf(projection, place);
  const lease = await acquireLease(pool, { ...follower, holder, leaseMs: LEASE_MS });
  if (!lease) throw await busy(pool, follower);
  // After the lease: a process that drops the tables holds it.
  await ensureTables(pool, [{ tableSql: withoutIndexes(projection.tableSql) }], schema);
  await ensureTables(pool, [projection]);
  const taken: Taken = {
    ...{ pool, projection, place, lease, position: lease.position, isWriting: false },
    async keep() {
      // Renewing would wait for the batch, and keep a connection from the others.
      if (!taken.isWriting) await renewLeases(pool, [lease], LEASE_MS);
    },
  };
  return taken;
}

/**
 * Applies the ledger up to a position to one or more copies at the same position. It is read and parsed once; each copy
 * applies a batch in its own transaction, some in parallel, while the next batch is read. A failure of one ends it for all
 * after the batch. Throws `CannotRebuild` at an event that cannot be applied.
 */
export async function catchUp(
  all: readonly Taken[],
  target: number,
  { signal, onProgress }: Steps,
): Promise<void> {
  const [first] = all;
  assert(first, 'something to catch up');
  assert(
    all.every(({ position }) => position === first.position),
    'all are at the same position',
  );
  const from = first.position + 1;
  onProgress?.({ position: first.position, target });
  for await (const events of readBatches(first.pool, { from, to: target, limit: BATCH_MAX })) {
    signal?.throwIfAborted();
    await applyToAll(all, events);
    onProgress?.({ position: first.position, target });
  }
}

/** Throws the first failure after all have finished. */
async function applyToAll(all: readonly Taken[], events: readonly RecordedEvent[]): Promise<void> {
  const waiting = [...all];
  const failures: unknown[] = [];
  const writer = async () => {
    for (let taken = waiting.shift(); taken; taken = waiting.shift()) {
      taken.isWriting = true;
      await apply(taken, events).catch((error: unknown) => void failures.push(error));
      taken.isWriting = false;
    }
  };
  await Promise.all(Array.from({ length: WRITING_MAX }, writer));
  if (failures.length > 0) throw failures[0];
}

/** A batch that fails is halved down to the event that cannot be applied; everything before it is applied. */
async function apply(taken: Taken, events: readonly RecordedEvent[]): Promise<void> {
  const { pool, projection, lease, place } = taken;
  const last = events.at(-1)?.position ?? taken.position;
  try {
    await applyBatch(pool, {
      projection,
      lease,
      events,
      leaseMs: LEASE_MS,
      schema: SCHEMA_OF[place],
    });
    taken.position = last;
  } catch (failure) {
    if (!isPoison(failure)) throw failure;
    if (events.length === 1) throw poisoned(projection, last, failure);
    const middle = Math.ceil(events.length / 2);
    await apply(taken, events.slice(0, middle));
    await apply(taken, events.slice(middle));
  }
}

async function busy(pool: pg.Pool, follower: Follower): Promise<CannotRebuild> {
  const other = await readFollower(pool, follower);
  const since = other ? ` by ${other.holder} at position ${other.position}` : '';
  const until = other?.leaseUntil
    ? ` If that process died, it is free at ${other.leaseUntil}.`
    : '';
  return new CannotRebuild(`${follower.name} is in use${since}.${until}`);
}

/** SQLSTATE classes of what an event may cause in a statement: data, integrity, an exception of a function. */
const POISON_STATE = /^(22|23|42|P0)/;

/** An error that the event causes, not the state of the database or the lease. */
export function isPoison(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error) return POISON_STATE.test(String(error.code));
  return error.name === 'Bug' || error instanceof TypeError || error instanceof RangeError;
}

function poisoned(projection: Projection, position: number, error: unknown): CannotRebuild {
  const why = error instanceof Error ? error.message : String(error);
  return new CannotRebuild(
    `${projection.name} cannot apply the event at position ${position}: ${why}. The events before it are applied to the parallel copy; fix the code and run this again.`,
  );
}
