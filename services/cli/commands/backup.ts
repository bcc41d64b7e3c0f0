/** `npm run reelbook -- backup`: a verified copy of the facts, while the ledger is in use. */
import { join, resolve } from 'node:path';
import {
  BackupError,
  type Manifest,
  rowsOf,
  takeBackup,
  verifyBackup,
} from '@reelbook/event-store/backup';
import { openPool } from '@reelbook/event-store/db';
import {
  complain,
  count,
  EXIT,
  type Exit,
  endProgress,
  progressLine,
  say,
} from '@reelbook/runtime/command';
import { defineCommand, text, UsageError } from '@reelbook/runtime/command-line';
import { findDatabaseUrl } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';

export const command = defineCommand({
  usage: { '[--to FOLDER | --verify FOLDER]': '' },
  about: `Copies every fact of the ledger, as of one moment and while it is in use, into a new folder: events, streams, idempotency keys, sealed
seeds, sessions, the cashier's work. Read models are not in it: a restore builds them. Then every byte is read again.

The keys are NOT in it (SEED_KEY and the others): keep them elsewhere; without SEED_KEY a copy can be audited in public only.
DATABASE_URL needs a login that may read all tables.`,
  options: {
    to: text('FOLDER', 'where to; by default DATA_DIR/backups/<time>'),
    verify: text('FOLDER', 'only reads a backup that is there'),
  },
  async run({ to, verify }) {
    if (to === '' || verify === '') throw new UsageError('--to and --verify each name a folder.');
    if (to !== undefined && verify !== undefined) {
      throw new UsageError('--to makes a backup, --verify reads one: only one of them at a time.');
    }
    try {
      return await (verify === undefined ? make(to) : read(verify, 'verified'));
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      endProgress();
      return complain(error.message, EXIT.no);
    }
  },
});

async function make(to: string | undefined): Promise<Exit> {
  const settings = readSettings();
  const url = findDatabaseUrl(settings);
  if (!url) {
    const where = `nothing ever ran in ${settings.dataDir}`;
    return complain(`No ledger to back up: DATABASE_URL is not set and ${where}.`);
  }
  const time = new Date().toISOString().replaceAll(':', '-');
  const folder = resolve(to ?? join(settings.dataDir, 'backups', time));
  const pool = openPool({ url, role: 'owner', max: 1, name: 'backup', noStatementTimeout: true });
  try {
    await takeBackup(pool, folder, progressLine());
  } finally {
    await pool.end();
  }
  return read(folder, 'made and verified');
}

async function read(folder: string, what: string): Promise<Exit> {
  const manifest = await verifyBackup(folder, progressLine());
  endProgress();
  return say(`${what} ${folder}\n${describe(manifest)}`);
}

function describe(manifest: Manifest): string {
  const { head, tables, server, madeAt } = manifest;
  return (
    `of ${madeAt}, PostgreSQL ${server}: ${tables.length} tables, ${count(rowsOf(manifest))} rows\n` +
    `head #${head.position} ${head.hash}`
  );
}
