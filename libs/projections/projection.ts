import { readFileSync } from 'node:fs';
import { rowOf, tables } from '@reelbook/event-store/query';
import { assertKnown } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { sql } from 'kysely';
import type pg from 'pg';

/** Where read models are read from: a pool of any role, or a client inside a transaction. */
export type Db = pg.Pool | pg.PoolClient;

/**
 * A read model: tables that follow from the events alone. Its SQL names tables without a schema, so that the same
 * code fills the live tables and a replay beside them; `run.ts` sets the search path.
 */
export interface Projection<Changes = unknown> {
  readonly name: string;
  /** Grows with every change of `fold` or of the tables. Tables carry it in their names: `balances_v1`. */
  readonly version: number;
  readonly tables: readonly Table[];
  /** Least time between two transactions, where no player waits for it: fewer and larger ones leave more for who does. */
  readonly paceMs?: number;
  /** Text of `table.sql`: `create table if not exists ...`. */
  readonly tableSql: string;
  /** Pure. Events are consecutive, of types that this build knows: call it by `foldKnown`. */
  fold(events: readonly RecordedEvent[]): Changes;
  /** A few set-based statements inside the caller's transaction, which holds the checkpoint. */
  apply(client: pg.ClientBase, changes: Changes): Promise<void>;
}

/** What a batch changes. Throws `Bug` at an event of a newer build. */
export function foldKnown<Changes>(
  projection: Projection<Changes>,
  events: readonly RecordedEvent[],
): Changes {
  for (const { event, position } of events) assertKnown(event.type, position);
  return projection.fold(events);
}

/** Pace of what nobody waits for after a spin: boards, figures, what operators look at. */
export const UNHURRIED_PACE_MS = 100;

export interface Table {
  readonly name: string;
  /** Columns of its primary key, by which a comparison orders the rows. */
  readonly key: readonly string[];
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** A read model is asked about a position that it has not applied yet: the same question may be answered a moment later. */
export class NotThereYet extends Error {
  override name = 'NotThereYet';
  constructor(projection: string, position: number) {
    super(`${projection} has not come to position ${position} yet`);
  }
}

type Follower = Pick<Projection, 'name' | 'version'>;

/** How far a read model has come, for reads that must not answer for what is not applied yet; null: it has not begun. */
export const reachedBy = ({ name, version }: Follower) =>
  tables
    .selectFrom('checkpoints')
    .select('position')
    .where('name', '=', sql.lit(name))
    .where('version', '=', sql.lit(version));

/** As `reachedBy`, 0 before it has begun. */
export async function readReached(db: Db, of: Follower): Promise<number> {
  return (await rowOf(db, reachedBy(of)))?.position ?? 0;
}

/** Throws `NotThereYet` where the read model has not applied that position. */
export async function assertReached(db: Db, of: Follower, position: number): Promise<void> {
  if ((await readReached(db, of)) < position) throw new NotThereYet(of.name, position);
}

/** The text of the `table.sql` that lies beside a module. */
export function readTableSql(moduleUrl: string): string {
  return readFileSync(new URL('table.sql', moduleUrl), 'utf8');
}
