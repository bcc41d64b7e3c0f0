import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';
import { rowsOf, tables } from './query.ts';

/** A migration as recorded in a database. */
interface Applied {
  readonly name: string;
  readonly sha256: string;
}

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));
const FILE_PATTERN = /^\d{4}_[a-z_]+\.sql$/;
/** An advisory lock that no other program uses in this database. */
const LOCK = 7_330_566_512n;

/**
 * Brings the facts' schema up to date: every `NNNN_name.sql` not applied yet, in order, each with its
 * `NNNN_name.after.sql` check in one transaction. Safe to call from many processes at the same time.
 * @returns the names applied now. Throws when an applied file was changed afterwards, or when the database is ahead of this
 * build.
 */
export async function migrate(pool: pg.Pool): Promise<readonly string[]> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    return await applyMissing(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
}

/** The migrations of this build, in order. */
async function listMigrations(): Promise<readonly string[]> {
  const files = (await readdir(FOLDER)).filter((file) => FILE_PATTERN.test(file)).sort();
  assert(files.length > 0, `there are migrations in ${FOLDER}`);
  return files;
}

export async function readMigrations(): Promise<readonly Applied[]> {
  const read = async (name: string) => ({ name, sha256: (await readMigration(name)).sha256 });
  return Promise.all((await listMigrations()).map(read));
}

/** A migration that only version 0.1 had. */
const OF_VERSION_0_1 = '0002_book.sql';
const NOT_READ = 'a ledger of version 0.1, which was never released and can no longer be read';

/** Why this build may not use a database with these migrations; null: it may. */
function unknownFault(applied: readonly string[], files: readonly string[]): string | null {
  if (applied.includes(OF_VERSION_0_1)) {
    return `the database has ${NOT_READ}: name an empty database, or another DATA_DIR`;
  }
  const ahead = applied.filter((name) => !files.includes(name));
  return ahead.length > 0
    ? `the database is ahead of this build: it has ${ahead.join(', ')}`
    : null;
}

async function readMigration(file: string): Promise<{ sql: string; sha256: string }> {
  const sql = await readFile(FOLDER + file, 'utf8');
  return { sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

async function applyMissing(client: pg.PoolClient): Promise<readonly string[]> {
  const files = await listMigrations();
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations order by name',
  );
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const fault = unknownFault([...applied.keys()], files);
  if (fault) throw new Error(fault);
  const done: string[] = [];
  for (const file of files) {
    const { sql, sha256 } = await readMigration(file);
    const before = applied.get(file);
    if (before === sha256) continue;
    if (before) throw new Error(`${file} was changed after it was applied; add a new migration`);
    await apply(client, file, sha256, sql);
    done.push(file);
  }
  return done;
}

async function apply(client: pg.PoolClient, file: string, sha256: string, sql: string) {
  const check = await readFile(FOLDER + file.replace(/\.sql$/, '.after.sql'), 'utf8');
  await client.query('begin');
  try {
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [file, sha256]);
    await client.query(sql);
    await client.query(check);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${file} failed and was rolled back: ${String(error)}`, {
      cause: error,
    });
  }
}

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
