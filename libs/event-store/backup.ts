/**
 * Copies the facts to a folder while the ledger is in use: every table of one snapshot, and a manifest that is written
 * last, so that an interrupted backup is not valid. It has no projections: they are rebuilt from the facts.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

const FORMAT = 2;
const MANIFEST = 'manifest.json';
/**
 * Not backed up: checkpoints are found again, the schema comes from the migrations, a job ends with its process,
 * and a session that ended after the backup must not be restored.
 */
const LEFT_OUT = ['checkpoints', 'admin_jobs', 'migrations', 'sessions'];
const FAST = { level: 3 } as const;

export interface TableCopy {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Of the uncompressed text. */
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: number;
  readonly madeAt: string;
  readonly server: string;
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[];
  readonly head: { readonly position: number; readonly hash: string };
  /** In the order in which a restore fills them. */
  readonly tables: readonly TableCopy[];
  /** Of all fields above, as JSON. */
  readonly sha256: string;
}

/** A fault of a backup, or of the database it is restored into; the message is shown to operators. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Called with the number of rows copied so far, of all tables together. */
export type Progress = (options: {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly of: string;
}) => void;

export const fileOf = (folder: string, table: string) => join(folder, `${table}.copy.gz`);

/**
 * Writes a backup into `folder`, which must not exist yet. `pool` is the owner's, without a statement timeout.
 * Contains everything acknowledged before the call. Throws `BackupError` when the folder exists, or the partial folder
 * of an interrupted backup.
 */
export async function takeBackup(
  pool: pg.Pool,
  folder: string,
  onProgress: Progress = () => {},
): Promise<Manifest> {
  const partial = `${folder}.partial`;
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  if (existsSync(folder)) throw new BackupError(`${folder} exists already`);
  await mkdir(partial, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new BackupError(`${partial} exists: a backup is running or was interrupted. Remove it`);
  });
  try {
    const manifest = await copyFacts(pool, partial, onProgress);
    await rename(partial, folder);
    await syncPath(dirname(folder));
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function copyFacts(pool: pg.Pool, folder: string, onProgress: Progress): Promise<Manifest> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const facts = await readFacts(client);
    const found = await listTables(client);
    const counting = countRows('copying', await rowsOfAll(client, found), onProgress);
    const tables: TableCopy[] = [];
    for (const table of found) tables.push(await copyOut(client, folder, table, counting));
    await client.query('commit');
    const contents = { format: FORMAT, ...facts, tables };
    const manifest: Manifest = { ...contents, sha256: hashOf(contents) };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(join(folder, MANIFEST), text, { mode: 0o600, flush: true });
    await syncPath(folder);
    client.release();
    return manifest;
  } catch (error) {
    // The connection may be in the middle of a copy: it cannot be reused.
    client.release(true);
    throw error;
  }
}

/** Reads the manifest and every file. Throws `BackupError` when a byte differs from what was written. */
export async function verifyBackup(
  folder: string,
  onProgress: Progress = () => {},
): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new BackupError(`${folder} has no complete backup: ${MANIFEST} is missing`);
  });
  const manifest = parseManifest(text);
  const counting = countRows('reading', rowsOf(manifest), onProgress);
  for (const { name, bytes, sha256 } of manifest.tables) {
    const seen = measure();
    const packed = createReadStream(fileOf(folder, name));
    try {
      await pipeline(packed, createGunzip(), counted(counting), seen.stream, sink());
    } catch (error) {
      throw new BackupError(`${fileOf(folder, name)} cannot be read: ${String(error)}`);
    }
    if (seen.bytes() !== bytes || seen.sha256() !== sha256) {
      throw new BackupError(`${fileOf(folder, name)} was changed after the backup`);
    }
  }
  return manifest;
}

function parseManifest(text: string): Manifest {
  try {
    const manifest = Object(JSON.parse(text)) as Manifest;
    const { sha256, ...contents } = manifest;
    if (contents.format === FORMAT && sha256 === hashOf(contents)) return manifest;
  } catch {}
  throw new BackupError(`${MANIFEST} was changed after the backup, or has another build's format`);
}

const hashOf = (contents: Omit<Manifest, 'sha256'>) =>
  createHash('sha256').update(JSON.stringify(contents)).digest('hex');

async function readFacts(client: pg.PoolClient) {
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations order by name',
  );
  const { rows } = await client.query<{
    position: number;
    hash: string;
    made_at: string;
    server: string;
  }>(
    `select position, encode(hash, 'hex') as hash, now() as made_at,
        current_setting('server_version') as server from ledger_head`,
  );
  const [row] = rows;
  if (!row) throw new BackupError('this database has no ledger');
  const { position, hash, made_at: madeAt, server } = row;
  return { madeAt, server, migrations, head: { position, hash } };
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Tables of facts, oldest first: a table is created after the ones it refers to. */
async function listTables(client: pg.PoolClient): Promise<readonly Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by c.oid, c.relname order by c.oid`,
    [LEFT_OUT],
  );
  return rows;
}

async function rowsOfAll(client: pg.PoolClient, tables: readonly Table[]): Promise<number> {
  const counts = tables.map(({ name }) => `(select count(*) from ${name})`);
  const { rows } = await client.query<{ rows: number }>(`select ${counts.join(' + ')} as rows`);
  return rows[0]?.rows ?? 0;
}

async function copyOut(
  client: pg.PoolClient,
  folder: string,
  table: Table,
  counting: (rows: number) => void,
): Promise<TableCopy> {
  const copy = client.query(copyTo(`copy ${table.name} (${table.columns.join(', ')}) to stdout`));
  const seen = measure();
  const path = fileOf(folder, table.name);
  const file = createWriteStream(path, { mode: 0o600 });
  await pipeline(copy, counted(counting), seen.stream, createGzip(FAST), file);
  await syncPath(path);
  return { ...table, rows: copy.rowCount, bytes: seen.bytes(), sha256: seen.sha256() };
}

/** Flushes a file, or the entries of a folder, to disk. */
async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync();
  await file.close();
}

export const rowsOf = ({ tables }: Manifest): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

/** Reports the rows of all tables as they pass. */
export function countRows(step: string, total: number, onProgress: Progress) {
  let done = 0;
  return (rows: number) => {
    done += rows;
    onProgress({ step, done, total, of: 'rows' });
  };
}

/** Lines of a copy: one per row, since a line break inside a text is escaped. */
function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  return lines;
}

/** Counts the rows that pass. */
export const counted = (counting: (rows: number) => void) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      counting(linesIn(chunk));
      done(null, chunk);
    },
  });

/** Measures and hashes the bytes that pass. */
function measure() {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, bytes: () => bytes, sha256: () => hash.digest('hex') };
}

const sink = () => new Transform({ transform: (_chunk, _encoding, done) => done() }).resume();
