import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projections } from '@reelbook/projections/all';
import { explorer } from '@reelbook/projections/explorer/projection';
import { ensureTables } from '@reelbook/projections/run';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';

const anna = walletOf(1);
const folder = mkdtempSync(join(tmpdir(), 'reelbook-ledger-'));

let database: TestDatabase;
let events = 0;
beforeAll(async () => {
  database = await createDatabase();
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 500n, 700n);
  history.bet(anna, 300n, 0n);
  const told = history.recorded();
  events = told.length;
  await ensureTables(database.pool('projector', 1), projections);
  await (await startProjecting(database, explorer)).applyInBatches(told, 100);
  const { hash, time } = told.at(-1) ?? { hash: '', time: '' };
  await database
    .pool('owner', 1)
    .query(`update head set position = $1, hash = decode($2, 'hex'), recorded_at = $3`, [
      events,
      hash,
      time,
    ]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

interface Ran {
  readonly code: number;
  readonly said: string;
}

/** The command as people run it; `url` none: as on a machine without any book. */
function ledger(args: readonly string[], url: string | null = database.url): Promise<Ran> {
  const env = { ...process.env, DATABASE_URL: url ?? '', DATA_DIR: join(folder, 'nowhere') };
  const command = [RUN, 'services/auditor/ledger.ts', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env, cwd: REPOSITORY }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr });
    });
  });
}

test('finds, shows, travels and tells the difference', async () => {
  const [found, shown, state, diff, none, wrong] = await Promise.all([
    ledger(['find', 'id1-1']),
    ledger(['show', String(events)]),
    ledger(['state', anna, '--at', String(events - 2)]),
    ledger(['diff', anna, '--from', String(events - 2), '--to', String(events)]),
    ledger(['find', 'nobody at all']),
    ledger(['show', 'first']),
  ]);
  expect(found).toMatchObject({ code: 0, said: expect.stringContaining('round id1-1') });
  expect(shown).toMatchObject({ code: 0, said: expect.stringContaining('HOLDS') });
  expect(state.said).toContain('"pointsMinor": "100200"');
  expect(diff.said).toContain('pointsMinor: "100200" -> "99900"');
  expect(none).toMatchObject({ code: 1 });
  expect(wrong).toMatchObject({ code: 2 });
});

test('exports, and verifies the file on a machine without a book', async () => {
  const file = join(folder, 'book.jsonl');
  const exported = await ledger(['export', file]);
  expect(exported).toMatchObject({ code: 0, said: expect.stringContaining(`${events} events`) });
  const changed = join(folder, 'changed.jsonl');
  writeFileSync(changed, readFileSync(file, 'utf8').replace('slot-1', 'slot-2'));
  const [whole, faulty, again, refused] = await Promise.all([
    ledger(['verify', file], null),
    ledger(['verify', changed], null),
    ledger(['export', file]),
    ledger(['export', join(folder, 'x.csv'), '--min', '5']),
  ]);
  expect(whole).toMatchObject({ code: 0, said: expect.stringContaining('WHOLE') });
  expect(faulty).toMatchObject({ code: 1, said: expect.stringContaining('does not follow') });
  expect(again).toMatchObject({ code: 2, said: expect.stringContaining('is there already') });
  expect(refused.said).toContain('an amount is of an asset');
});
