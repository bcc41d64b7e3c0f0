import type pg from 'pg';
import { type Applied, readMigrations, unknownFault } from './migrate.ts';
import { rowsOf, tables } from './query.ts';

/** Read once: a build's migrations do not change while it runs. */
let own: Promise<readonly Applied[]> | null = null;

/** Why this build may not use that database, or null: its schema is not this build's. */
export async function schemaFault(pool: pg.Pool): Promise<string | null> {
  own ??= readMigrations();
  const files = await own;
  const applied = await readApplied(pool);
  if (applied === null) return 'the database has no schema: run npm run reelbook -- migrate';
  const names = applied.map(({ name }) => name);
  const fault = unknownFault(
    names,
    files.map(({ name }) => name),
  );
  if (fault) return fault;
  const changed = files.filter(({ name, sha256 }) =>
    applied.some((other) => other.name === name && other.sha256 !== sha256),
  );
  if (changed[0]) return `${changed[0].name} of the database differs from this build's`;
  const missing = files.map(({ name }) => name).filter((name) => !names.includes(name));
  if (missing.length === 0) return null;
  return `the database lacks ${missing.join(', ')}: run npm run reelbook -- migrate`;
}

/** The table does not exist before the first migration. */
const NOT_YET = ['42P01', '42501'];

async function readApplied(pool: pg.Pool): Promise<readonly Applied[] | null> {
  try {
    const applied = tables.selectFrom('migrations').select(['name', 'sha256']).orderBy('name');
    return await rowsOf(pool, applied);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_YET.includes(String(error.code)))
      return null;
    throw error;
  }
}
