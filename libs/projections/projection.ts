import { type Checkpoint, readCheckpoints } from '@reelbook/event-store/checkpoint';
import { rowOf, tables } from '@reelbook/event-store/query';
import { encode } from '@reelbook/ledger/codec';
import { assertKnown } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { sql } from 'kysely';
import type pg from 'pg';

/** The source of reads: a pool of any role, or a client inside a transaction. */
export type Db = pg.Pool | pg.PoolClient;

/**
 * A projection: tables that follow from the events alone. Its SQL names tables without a schema, so that the same code fills
 * the live tables and a replay; `run.ts` sets the search path.
 */
export interface Projection<Changes = unknown> {
  readonly name: string;
  /** Increases with every change of `fold` or of the tables. Table names contain it: `balances_v1`. */
  readonly version: number;
  readonly tables: readonly Table[];
  /** `create table if not exists ...`, and the indexes. */
  readonly tableSql: string;
  /** Pure. Events are consecutive, of types that this build knows: call it through `foldKnown`. */
  fold(events: readonly RecordedEvent[]): Changes;
  /** A few set-based statements inside the caller's transaction, which locks the checkpoint. */
  apply(client: pg.ClientBase, changes: Changes): Promise<void>;
}

/** The changes of a batch. Throws `Bug` at an event of a newer build. */
export function foldKnown<Changes>(
  projection: Projection<Changes>,
  events: readonly RecordedEvent[],
): Changes {
  for (const { event, position } of events) assertKnown(event.type, position);
  return projection.fold(events);
}

export interface Table {
  readonly name: string;
  /** Columns of its primary key, by which a comparison orders the rows. */
  readonly key: readonly string[];
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** The projection has not applied the requested position yet: a retry may succeed. */
export class PositionNotReached extends Error {
  override name = 'PositionNotReached';
  constructor(projection: string, position: number) {
    super(`${projection} has not reached position ${position} yet`);
  }
}

type Follower = Pick<Projection, 'name' | 'version'>;

/** The position that a projection has reached, for reads that must not omit events; null: it has not started. */
export const reachedBy = ({ name, version }: Follower) =>
  tables
    .selectFrom('checkpoints')
    .select('position')
    .where('name', '=', sql.lit(name))
    .where('version', '=', sql.lit(version));

/** Like `reachedBy`, 0 before it has started. */
export async function readReached(db: Db, of: Follower): Promise<number> {
  return (await rowOf(db, reachedBy(of)))?.position ?? 0;
}

/** Throws `PositionNotReached` if the projection has not applied that position. */
export async function assertReached(db: Db, of: Follower, position: number): Promise<void> {
  if ((await readReached(db, of)) < position) throw new PositionNotReached(of.name, position);
}

const END = tables.selectFrom('events').select(({ fn }) => fn.max('position').as('position'));

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
 * Runs one set-based statement over rows: `$1` is all rows as JSON, for `json_to_recordset`. One parameter and one plan for
 * any number of rows; as fast as binary arrays. Does nothing for no rows.
 * @returns the number of rows that it changed.
 */
export async function changeRows(
  client: pg.ClientBase,
  options: { readonly name: string; readonly text: string; readonly values?: readonly unknown[] },
  rows: readonly unknown[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const { name, text, values = [] } = options;
  const { rowCount } = await client.query({ name, text, values: [encode(rows), ...values] });
  return rowCount ?? 0;
}
