/** `npm run backup`: a verified copy of the facts, while the book is in use. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
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
  refusalOf,
  runCommand,
  say,
} from '@reelbook/runtime/command';
import { findDatabaseUrl } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';

const HELP = `npm run backup -- [--to folder | --verify folder]

Copies every fact of the book, as of one moment and while it is in use, into a new folder: events, streams, idempotency keys, sealed seeds,
sessions, the cashier's work. Read models are not in it: a restore builds them. Then every byte is read again.

  --to      where to; by default DATA_DIR/backups/<time>
  --verify  only reads a backup that is there

The keys are NOT in it (SEED_KEY and the others): keep them elsewhere; without SEED_KEY a copy can be audited in public only.
Finds the standalone by its DATA_DIR (.reelbook), or any other Postgres by DATABASE_URL, as a login that may read all tables.
Exit code 0: made and verified. 1: refused, or not what was written. 2: it could not be done, and says why.`;

async function main(): Promise<Exit> {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      verify: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { to, verify } = values;
  if (values.help) return say(HELP);
  if (to === '' || verify === '') return complain('--to and --verify each name a folder.');
  if (to !== undefined && verify !== undefined) {
    return complain('--to makes a backup, --verify reads one: only one of them at a time.');
  }
  try {
    return verify === undefined ? await make(to) : await read(verify, 'verified');
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    endProgress();
    return complain(error.message, EXIT.no);
  }
}

async function make(to: string | undefined): Promise<Exit> {
  const settings = readSettings();
  const url = findDatabaseUrl(settings);
  if (!url) {
    const where = `nothing ever ran in ${settings.dataDir}`;
    return complain(`No book to back up: DATABASE_URL is not set and ${where}.`);
  }
  const time = new Date().toISOString().replaceAll(':', '-');
  const folder = resolve(to ?? join(settings.dataDir, 'backups', time));
  const pool = openPool({ url, role: 'owner', max: 1, name: 'backup', unhurried: true });
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

await runCommand(main, refusalOf);
