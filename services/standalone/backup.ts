/** `npm run backup`: a verified copy of the facts, while the book is in use. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BackupError, type Manifest, takeBackup, verifyBackup } from '@reelbook/event-store/backup';
import { openPool } from '@reelbook/event-store/db';
import { findDatabaseUrl } from '@reelbook/runtime/data-folder';
import { explain, StartError } from '@reelbook/runtime/lifecycle';
import { readSettings } from '@reelbook/runtime/settings';

const HELP = `npm run backup -- [--to folder] [--verify folder]

Copies every fact of the book, as of one moment and while it is in use, into a new folder: events, streams, claims, sealed seeds,
sessions, the cashier's work. Read models are not in it: a restore builds them. Then every byte is read again.

  --to      where to; by default DATA_DIR/backups/<time>
  --verify  only reads a backup that is there

The keys are NOT in it (SEED_KEY and the others): keep them elsewhere; without SEED_KEY a copy can be audited in public only.
Finds the standalone by its DATA_DIR, or any other Postgres by DATABASE_URL, as a login that may read all tables.`;

const { values } = parseArgs({
  options: {
    to: { type: 'string' },
    verify: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

async function main(): Promise<string> {
  if (values.help) return HELP;
  if (values.verify) return describe('verified', values.verify, await verifyBackup(values.verify));
  const settings = readSettings();
  const url = findDatabaseUrl(settings);
  if (!url) throw new StartError('No book to back up: DATABASE_URL is not set.');
  const time = new Date().toISOString().replaceAll(':', '-');
  const folder = resolve(values.to ?? join(settings.dataDir, 'backups', time));
  const pool = openPool({ url, role: 'owner', max: 1, name: 'backup', unhurried: true });
  try {
    await takeBackup(pool, folder);
  } finally {
    await pool.end();
  }
  return describe('made and verified', folder, await verifyBackup(folder));
}

function describe(what: string, folder: string, { head, tables, server, madeAt }: Manifest) {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return (
    `${what} ${folder}\n` +
    `of ${madeAt}, PostgreSQL ${server}: ${tables.length} tables, ${rows.toLocaleString('en-US')} rows\n` +
    `head #${head.position} ${head.hash}`
  );
}

try {
  process.stdout.write(`${await main()}\n`);
} catch (error) {
  // What is wrong with a backup is told like a wrong setting, without a stack.
  explain(error instanceof BackupError ? new StartError(error.message) : error);
  process.exitCode = 1;
}
