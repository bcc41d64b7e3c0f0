import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { migrateAll } from '@reelbook/projections/all';
import { startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';

/** A separate Postgres whose clock can be shifted. */
export interface ShiftedPostgres {
  /** Logs in as a superuser, to a migrated database. */
  readonly url: string;
  /** Sets the difference of its clock from the machine's. Its monotonic clock does not change. */
  shift(byMs: number): void;
  stop(): Promise<void>;
}

const LIBRARY = 'faketime/libfaketime.so.1';
const LIBRARIES = '/usr/lib';

/** Whether this machine has libfaketime. */
export const faketimeAvailable = (): boolean => findLibrary() !== null;

function findLibrary(): string | null {
  if (!existsSync(LIBRARIES)) return null;
  const candidates = readdirSync(LIBRARIES).map((name) => join(LIBRARIES, name, LIBRARY));
  return [join(LIBRARIES, LIBRARY), ...candidates].find(existsSync) ?? null;
}

export async function startShiftedPostgres(): Promise<ShiftedPostgres> {
  const library = findLibrary();
  if (!library) throw new Error('this machine has no libfaketime');
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-shifted-'));
  chmodSync(folder, 0o755); // the account of Postgres reads the offset
  const file = join(folder, 'offset');
  const shift = (byMs: number) => {
    const seconds = byMs / 1_000;
    writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
    renameSync(`${file}.new`, file);
  };
  shift(0);
  const postgres = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    durable: false,
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  });
  const stop = async () => {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const pool = openPool({ url: postgres.url, role: 'owner', max: 1, name: 'test-setup' });
  try {
    await migrateAll(pool);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await pool.end();
  }
  return { url: postgres.url, shift, stop };
}
