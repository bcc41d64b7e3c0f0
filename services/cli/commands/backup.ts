/** `npm run reelbook -- backup`: a verified copy of the ledger while it is in use. */
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
  count,
  EXIT,
  type Exit,
  endProgress,
  print,
  printError,
  progressLine,
} from '@reelbook/runtime/command';
import { defineCommand, text, UsageError } from '@reelbook/runtime/command-line';
import { findDatabaseUrl } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';

export const command = defineCommand({
  usage: { '[--to FOLDER | --verify FOLDER]': '' },
  about: `Copies one snapshot of the ledger into a new folder while the ledger is in use: events, streams, idempotency keys, sealed
seeds, sessions, the cashier's tables. Read models are left out: a restore rebuilds them. Then reads and verifies the copy.

The copy does NOT contain the keys (SEED_KEY and the others): keep them elsewhere. Without SEED_KEY a copy can only be audited
in public mode. The login in DATABASE_URL must be able to read all tables.`,
  options: {
    to: text('FOLDER', 'write to this folder (default: DATA_DIR/backups/<time>)'),
    verify: text('FOLDER', 'verify an existing backup; write nothing'),
  },
  async run({ to, verify }) {
    if (to === '' || verify === '') throw new UsageError('--to and --verify require a folder.');
    if (to !== undefined && verify !== undefined) {
      throw new UsageError('Use --to or --verify, not both.');
    }
    try {
      return await (verify === undefined ? make(to) : read(verify, 'verified'));
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      endProgress();
      return printError(error.message, EXIT.no);
    }
  },
});

async function make(to: string | undefined): Promise<Exit> {
  const settings = readSettings();
  const url = findDatabaseUrl(settings);
  if (!url) {
    const where = `${settings.dataDir} has no data`;
    return printError(`There is no ledger: DATABASE_URL is not set and ${where}.`);
  }
  const time = new Date().toISOString().replaceAll(':', '-');
  const folder = resolve(to ?? join(settings.dataDir, 'backups', time));
  const pool = openPool({ url, role: 'owner', max: 1, name: 'backup', noStatementTimeout: true });
  try {
    await takeBackup(pool, folder, progressLine());
  } finally {
    await pool.end();
  }
  return read(folder, 'created and verified');
}

async function read(folder: string, what: string): Promise<Exit> {
  const manifest = await verifyBackup(folder, progressLine());
  endProgress();
  return print(`${what} ${folder}\n${describe(manifest)}`);
}

function describe(manifest: Manifest): string {
  const { head, tables, server, madeAt } = manifest;
  return (
    `of ${madeAt}, PostgreSQL ${server}: ${tables.length} tables, ${count(rowsOf(manifest))} rows\n` +
    `head #${head.position} ${head.hash}`
  );
}
