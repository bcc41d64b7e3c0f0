import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { migrateAll } from '@reelbook/projections/all';
import { DATABASE_URL_FILE } from '@reelbook/runtime/data-folder';
import { keepRunning } from '@reelbook/runtime/keep-running';
import { type Lifecycle, StartError } from '@reelbook/runtime/lifecycle';
import { type Logger, withoutSecrets } from '@reelbook/runtime/log';
import { startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';
import type { Settings } from '@reelbook/runtime/settings';
import type { PrintLine } from './banner.ts';

const DATABASE = 'reelbook';
/** Ends and failed starts of Postgres in a row. Nothing works without the ledger, so the process then ends. */
const FAILURES_MAX = 6;

/** The migrated Postgres of the ledger: DATABASE_URL, else an embedded one in DATA_DIR. The banner shows `where`. */
export async function openLedger(
  settings: Settings,
  life: Lifecycle,
  log: Logger,
  printLine: PrintLine,
): Promise<{ url: string; where: string }> {
  const ledger = settings.databaseUrl
    ? { url: settings.databaseUrl, where: withoutSecrets(settings.databaseUrl) }
    : await startOwn(settings, life, log, printLine);
  const pool = openPool({ url: ledger.url, role: 'owner', max: 1, name: 'migrate' });
  try {
    const applied = await migrateAll(pool);
    if (applied.length > 0) printLine(`migrated the ledger: ${applied.join(', ')}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The ledger at ${ledger.where} cannot be used: ${reason}`);
  } finally {
    await pool.end();
  }
  return ledger;
}

async function startOwn(settings: Settings, life: Lifecycle, log: Logger, printLine: PrintLine) {
  const { dataDir } = settings;
  const folder = join(dataDir, 'postgres');
  const postgres = await startEmbeddedPostgres({ folder, durable: true, onProgress: printLine });
  const url = new URL(postgres.url);
  // On the same port, so that all pools reconnect.
  const port = Number(url.port);
  const kept = keepRunning(postgres, {
    ...{ name: 'Postgres', log, signal: life.signal },
    start: () => startEmbeddedPostgres({ folder, durable: true, port }),
    giveUp: {
      failuresMax: FAILURES_MAX,
      act(reason) {
        life.fail(
          new Error(`Postgres failed ${FAILURES_MAX} times in a row and stays down: ${reason}`),
        );
      },
    },
  });
  life.onClose('postgres', () => kept.close());
  await createMissing(postgres.url);
  url.pathname = `/${DATABASE}`;
  const file = join(dataDir, DATABASE_URL_FILE);
  rmSync(file, { force: true });
  writeFileSync(file, url.href, { mode: 0o600 });
  const account = postgres.account ? `, run as ${postgres.account}` : '';
  return { url: url.href, where: `${folder} (Postgres on port ${url.port}${account})` };
}

async function createMissing(url: string): Promise<void> {
  const pool = openPool({ url, role: 'owner', max: 1, name: 'create' });
  try {
    const found = await pool.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await pool.query(`create database ${DATABASE}`);
  } finally {
    await pool.end();
  }
}
