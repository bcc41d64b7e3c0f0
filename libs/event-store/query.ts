/**
 * Typed reads. kysely builds the text from the generated types of the tables; the caller's pool or client runs it, with
 * the parsers of `db.ts`, and as a prepared statement when it has a name. What stays SQL: append, writes and leases, whose
 * texts are reviewed word by word; what every command loads (states, idempotency keys, sessions, seeds, the clock), which
 * runs thousands of times a second; the audit, which shares little with what it checks; recursive searches.
 */
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type pg from 'pg';
import type { DB } from './tables.ts';

/** Builds queries without a connection. */
export const tables = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** A query of `tables`, or a template of `sql` with the type of its rows. */
interface Read<Row> {
  compile(tables: Kysely<DB>): CompiledQuery<Row>;
}

/** The rows of a read. `name`: it is prepared once per connection, so its text must not depend on parameters. */
export async function rowsOf<Row>(
  db: pg.Pool | pg.PoolClient,
  read: Read<Row>,
  name?: string,
): Promise<Row[]> {
  const { sql: text, parameters } = read.compile(tables);
  const { rows } = await db.query({ ...(name && { name }), text, values: [...parameters] });
  return rows as Row[];
}

/** The first row, or null. */
export async function rowOf<Row>(
  db: pg.Pool | pg.PoolClient,
  read: Read<Row>,
  name?: string,
): Promise<Row | null> {
  return (await rowsOf(db, read, name))[0] ?? null;
}

/** `= any(...)`: one parameter and one text for lists of any length, also empty ones. */
export const anyOf = <Value extends string | number>(
  type: 'text' | 'bigint',
  values: readonly Value[],
): RawBuilder<Value> => sql`any(${values}::${sql.raw(type)}[])`;
