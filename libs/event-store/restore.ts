import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  BackupError,
  counted,
  countRows,
  fileOf,
  type Manifest,
  type Progress,
  rowsOf,
  type TableCopy,
  verifyBackup,
} from './backup.ts';
import { foreignFault, migrate } from './migrate.ts';

/** Created by the migrations with its one row, which a trigger protects. */
const HEAD = 'ledger_head';

/**
 * Fills an empty database from a complete backup: the backup's migrations, then all rows in one transaction, then the
 * migrations that came after it. `pool` is the owner's, without a statement timeout. Throws `BackupError` when the
 * database is not empty, or the backup is incomplete or of a newer build; then nothing was written.
 */
export async function restoreBackup(
  pool: pg.Pool,
  folder: string,
  onProgress: Progress = () => {},
): Promise<Manifest> {
  const manifest = await verifyBackup(folder, onProgress);
  const foreign = await foreignFault(manifest.migrations);
  if (foreign) throw new BackupError(`the backup is of another build: ${foreign}`);
  await assertEmpty(pool);
  await migrate(pool, manifest.migrations);
  const counting = countRows('filling', rowsOf(manifest), onProgress);
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const table of manifest.tables) await copyIn(client, folder, table, counting);
    await assertSame(client, manifest);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
  await migrate(pool);
  return manifest;
}

async function assertEmpty(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^(pg_|information_schema$)' and c.relkind in ('r', 'v', 'm', 'S') limit 1`,
  );
  const [found] = rows;
  if (found) {
    throw new BackupError(
      `the database is not empty: it has ${found.name}. Restore into a new one`,
    );
  }
}

async function copyIn(
  client: pg.PoolClient,
  folder: string,
  table: TableCopy,
  counting: (rows: number) => void,
): Promise<void> {
  const { name, rows } = table;
  const columns = table.columns.join(', ');
  const target = name === HEAD ? 'copied_head' : name;
  if (name === HEAD)
    await client.query('create temp table copied_head (like ledger_head) on commit drop');
  const copy = client.query(copyFrom(`copy ${target} (${columns}) from stdin`));
  await pipeline(createReadStream(fileOf(folder, name)), createGunzip(), counted(counting), copy);
  if (copy.rowCount !== rows) {
    throw new BackupError(`${name} took ${copy.rowCount} rows of ${rows}`);
  }
  if (name === HEAD) {
    await client.query(
      `update ledger_head set (${columns}) = (select ${columns} from copied_head)`,
    );
  }
}

async function assertSame(client: pg.PoolClient, { head }: Manifest): Promise<void> {
  const { rows } = await client.query<{ position: number; hash: string }>(
    `select position, encode(hash, 'hex') as hash from ledger_head`,
  );
  const [found] = rows;
  if (found?.position !== head.position || found.hash !== head.hash) {
    throw new BackupError(`the ledger ends at #${found?.position} ${found?.hash}, not at its head`);
  }
}
