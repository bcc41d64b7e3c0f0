import type pg from 'pg';
import { listMigrations, unknownFault } from './migrate.ts';
import { rowsOf, tables } from './query.ts';

/** Read once: a build's migrations do not change while it runs. */
let own: Promise<readonly string[]> | null = null;

/** Why this build may not use that database, or null: its schema is newer or older than this build's. */
export async function schemaFault(pool: pg.Pool): Promise<string | null> {
  own ??= listMigrations();
  const files = await own;
  const applied = await readApplied(pool);
  if (applied === null) return 'the database has no schema: run npm run reelbook -- migrate';
  const fault = unknownFault(applied, files);
  if (fault) return fault;
  const missing = files.filter((name) => !applied.includes(name));
  if (missing.length === 0) return null;
  return `the database lacks ${missing.join(', ')}: run npm run reelbook -- migrate`;
}

/** The table does not exist before the first migration. */
const NOT_YET = ['42P01', '42501'];

async function readApplied(pool: pg.Pool): Promise<readonly string[] | null> {
  try {
    const applied = tables.selectFrom('migrations').select('name').orderBy('name');
    return (await rowsOf(pool, applied)).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_YET.includes(String(error.code)))
      return null;
    throw error;
  }
}
