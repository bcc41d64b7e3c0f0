import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';
import {
  additionsOf,
  type Catalogue,
  catalogueFaults,
  compare,
  extend,
  keepReadings,
  MIGRATIONS,
  readCatalogue,
} from './catalogue.ts';
import { rowsOf, tables } from './query.ts';

type Migration = Awaited<ReturnType<typeof readMigrations>>[number];

/** As recorded in a database. */
interface Applied extends Omit<Migration, 'sql'> {
  /** What it added to the catalogue, as JSON, if it is additive; else null. Only the owner writes it. */
  readonly additions: string | null;
}

/** The first line of a migration that only adds: builds from before it stay ready. */
const ADDITIVE = /^-- additive: \S/;
const FILE_PATTERN = /^\d{4}_[a-z_]+\.sql$/;
/** An advisory lock that no other program uses in this database. */
const LOCK = 7_330_566_512n;
/** For each lock that processes which work wait behind. */
const LOCK_TIMEOUT = 'set local lock_timeout = 3000';

/**
 * Brings the facts' schema up to date: every `NNNN_name.sql` not applied yet, in order, each with its
 * `NNNN_name.after.sql` check in one transaction. Safe to call from many processes at the same time.
 * @returns the names applied now. Throws when an applied file was changed afterwards, when the database is ahead of this
 * build, or when a file that is marked as additive is not.
 */
export async function migrate(pool: pg.Pool, folder = MIGRATIONS): Promise<readonly string[]> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query(
      "select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'additions'",
    );
    // Only if it is missing, since each reader waits for the lock that this takes. One query is one transaction.
    if (rows.length === 0)
      await client.query(`${LOCK_TIMEOUT}; alter table migrations add column additions json`);
    return await applyMissing(client, folder);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
}

/** The migrations of a build, in order. */
export async function readMigrations(folder = MIGRATIONS) {
  const files = (await readdir(folder)).filter((file) => FILE_PATTERN.test(file)).sort();
  assert(files.length > 0, `there are migrations in ${folder}`);
  return Promise.all(
    files.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** A migration that only version 0.1 had. */
const OF_VERSION_0_1 = '0002_book.sql';
const NOT_READ = 'a ledger of version 0.1, which was never released and can no longer be read';

/** Why this build may not use a database with these migrations; null: it may. */
function unknownFault(applied: readonly Applied[], own: readonly Migration[]): string | null {
  if (applied.some(({ name }) => name === OF_VERSION_0_1)) {
    return `the database has ${NOT_READ}: name an empty database, or another DATA_DIR`;
  }
  const later = laterOf(applied, own);
  return later.some(({ additions }) => additions === null) ? aheadFault(later) : null;
}

const laterOf = (applied: readonly Applied[], own: readonly Migration[]) =>
  applied.filter(({ name }) => !own.some((known) => known.name === name));

const aheadFault = (later: readonly Applied[]) =>
  `the database is ahead of this build: it has ${later.map(({ name }) => name).join(', ')}`;

async function applyMissing(client: pg.PoolClient, folder: string): Promise<readonly string[]> {
  const files = await readMigrations(folder);
  const applied = await rowsOf(client, APPLIED);
  const fault = unknownFault(applied, files);
  if (fault) throw new Error(fault);
  const done: string[] = [];
  for (const file of files) {
    const before = applied.find(({ name }) => name === file.name);
    if (before?.sha256 === file.sha256) continue;
    if (before)
      throw new Error(`${file.name} was changed after it was applied; add a new migration`);
    // Its author did not know what the later ones made of the schema.
    const later = laterOf(applied, files);
    if (later.length > 0) throw new Error(`${aheadFault(later)}, and lacks ${file.name}`);
    await apply(client, file, folder);
    done.push(file.name);
  }
  return done;
}

async function apply(client: pg.PoolClient, { name, sql, sha256 }: Migration, folder: string) {
  const check = await readFile(join(folder, name.replace(/\.sql$/, '.after.sql')), 'utf8');
  const before = ADDITIVE.test(sql) ? await readCatalogue(client) : null;
  await client.query(before ? `begin; ${LOCK_TIMEOUT}` : 'begin');
  try {
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256]);
    await client.query(sql);
    await client.query(check);
    if (before) await recordAdditions(client, name, before);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${name} failed and was rolled back: ${String(error)}`, {
      cause: error,
    });
  }
}

/** Last in its transaction, whose search path it changes. */
async function recordAdditions(client: pg.PoolClient, name: string, before: Catalogue) {
  const after = await readCatalogue(client);
  const additions = additionsOf(before, after);
  const [fault] = compare(extend(before, additions), after);
  if (fault) throw new Error(`it is marked as additive, but ${fault}`);
  const values = [name, JSON.stringify(additions)];
  await client.query('update public.migrations set additions = $2 where name = $1', values);
}

/** Read once: a build's migrations do not change while it runs. */
let own: ReturnType<typeof readMigrations> | null = null;

/** Why this build may not use the migrations of a database, or null. `later`: those that it does not know and may ignore. */
async function compareMigrations(pool: pg.Pool) {
  own ??= readMigrations();
  const files = await own;
  const applied = await readApplied(pool);
  if (applied === null) {
    return { fault: 'the database has no schema of this build: run npm run reelbook -- migrate' };
  }
  const later = laterOf(applied, files);
  const unknown = unknownFault(applied, files);
  if (unknown) return { fault: unknown };
  const of = (name: string) => applied.find((one) => one.name === name);
  const changed = files.find(({ name, sha256 }) => (of(name)?.sha256 ?? sha256) !== sha256);
  if (changed) return { fault: `${changed.name} of the database differs from this build's` };
  const missing = files.flatMap(({ name }) => (of(name) ? [] : [name])).join(', ');
  return missing === ''
    ? { fault: null, later }
    : { fault: `the database lacks ${missing}: run npm run reelbook -- migrate` };
}

export const migrationsFault = async (pool: pg.Pool) => (await compareMigrations(pool)).fault;

/**
 * Why this build may not use that database, or null. A schema with later additive migrations must be exactly what these made
 * of this build's. The text is public, so it does not name other changes; `integrityFault` does.
 */
export async function schemaFault(pool: pg.Pool): Promise<string | null> {
  const { fault, later = [] } = await compareMigrations(pool);
  if (later.length === 0 || (await recentFaults(pool)).length === 0) return fault;
  return `${aheadFault(later)}, and other changes: see the check integrity, or run the audit`;
}

const recentFaults = keepReadings(catalogueFaults);

const APPLIED = tables
  .selectFrom('migrations')
  .select(['name', 'sha256', 'additions'])
  .orderBy('name');

/** The table does not exist before the first migration; its last column came later. */
const NOT_YET = ['42P01', '42501', '42703'];

async function readApplied(pool: pg.Pool): Promise<readonly Applied[] | null> {
  try {
    return await rowsOf(pool, APPLIED);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_YET.includes(String(error.code)))
      return null;
    throw error;
  }
}
