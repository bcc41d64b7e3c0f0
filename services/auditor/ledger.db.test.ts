import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventHash } from '@reelbook/games/fairness/commit';
import { publicKeyOf } from '@reelbook/games/proofs/signature';
import { entries } from '@reelbook/projections/entries/projection';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { runInProcess } from '@reelbook/testing/run-program';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reelbook } from '../cli/program.ts';

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
  const recorded = history.recorded();
  events = recorded.length;
  await (await startProjecting(database, entries)).applyInBatches(recorded, 100);
  const { hash, time } = recorded.at(-1) ?? { hash: '', time: '' };
  await database
    .pool('owner', 1)
    .query(`update ledger_head set position = $1, hash = decode($2, 'hex'), recorded_at = $3`, [
      events,
      hash,
      time,
    ]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const SECRET = 'ab'.repeat(32);
const KEY = publicKeyOf(Buffer.from(SECRET, 'hex'));

/** The command as operators run it; without `url` as on a machine without a ledger. */
const ledger = (
  args: readonly string[],
  url: string | null = database.url,
  settings: Readonly<Record<string, string>> = {},
) =>
  runInProcess(reelbook, ['ledger', ...args], {
    DATABASE_URL: url ?? '',
    DATA_DIR: join(folder, 'nowhere'),
    ...settings,
  });

test('finds, shows, travels and compares', async () => {
  const [found, shown, state, diff, none, wrong] = await Promise.all([
    ledger(['find', 'id1-1']),
    ledger(['show', String(events)]),
    ledger(['state', anna, '--at', String(events - 2)]),
    ledger(['diff', anna, '--from', String(events - 2), '--to', String(events)]),
    ledger(['find', 'unknown name']),
    ledger(['show', 'first']),
  ]);
  expect(found).toMatchObject({ code: 0, output: expect.stringContaining('round id1-1') });
  expect(shown).toMatchObject({ code: 0, output: expect.stringContaining('VALID') });
  expect(state.output).toContain('"pointsMinor": "100200"');
  expect(diff.output).toContain('pointsMinor: "100200" -> "99900"');
  expect(none).toMatchObject({ code: 1 });
  expect(wrong).toMatchObject({ code: 2 });
});

test('exports, and verifies the file on a machine without a ledger', async () => {
  const file = join(folder, 'ledger.jsonl');
  const exported = await ledger(['export', file], undefined, { RECEIPT_KEY: SECRET });
  expect(exported).toMatchObject({ code: 0, output: expect.stringContaining(`${events} events`) });
  expect(exported.output).toContain(`signed by ${KEY}`);
  const changed = join(folder, 'changed.jsonl');
  writeFileSync(changed, readFileSync(file, 'utf8').replace('slot-1', 'slot-2'));
  const [complete, faulty, again, refused] = await Promise.all([
    ledger(['verify', file, '--key', KEY], null),
    ledger(['verify', changed, '--key', KEY], null),
    ledger(['export', file]),
    ledger(['export', join(folder, 'x.csv'), '--min', '5']),
  ]);
  expect(complete).toMatchObject({ code: 0, output: expect.stringContaining('VALID') });
  expect(faulty).toMatchObject({ code: 1, output: expect.stringContaining('does not match') });
  expect(again).toMatchObject({ code: 2, output: expect.stringContaining('already exists') });
  expect(refused.output).toContain('an amount needs an asset');
});

/** The file with a changed word in its last event, recomputed hashes and manifest, and no signature. */
function forgedCopy(file: string, name: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const { manifest } = JSON.parse(lines.pop() ?? '');
  const last = JSON.parse(lines.pop() ?? '');
  const body = last.body.replace('slot-1', 'slot-2').replace('"stakeMinor"', '"stakeminor"');
  expect(body).not.toBe(last.body);
  const hash = eventHash(last.previous_hash, body);
  const events = `${[...lines, JSON.stringify({ ...last, body, hash })].join('\n')}\n`;
  const sha256 = createHash('sha256').update(events).digest('hex');
  const head = { ...manifest.head, hash };
  const { signature: _, ...again } = { ...manifest, sha256, head };
  const path = join(folder, name);
  writeFileSync(path, `${events}${JSON.stringify({ manifest: again })}\n`);
  return path;
}

test('an edited export with rewritten hashes and manifest is not reported as valid', async () => {
  const file = join(folder, 'honest.jsonl');
  await ledger(['export', file], undefined, { RECEIPT_KEY: SECRET });
  const forged = await ledger(['verify', forgedCopy(file, 'forged.jsonl')], null);
  expect(forged).toMatchObject({ code: 3, output: expect.stringContaining('UNSIGNED') });
  expect(forged.output).not.toMatch(/^(VALID)/m);
});

test('only a key from outside the file proves an export: an option, or the one that the site publishes', async () => {
  const file = join(folder, 'signed.jsonl');
  await ledger(['export', file], undefined, { RECEIPT_KEY: SECRET });
  const site = createServer((request, response) => {
    const published = request.url === '/api/v1/fairness/key' ? { public_key: KEY } : {};
    response.end(JSON.stringify({ status: 200, message: 'ok', data: published }));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const [own, other, published, both, none, noUrl] = await Promise.all([
    ledger(['verify', file], null),
    ledger(['verify', file, '--key', 'c'.repeat(64)], null),
    ledger(['verify', file, '--site', url], null),
    ledger(['verify', file, '--site', url, '--key', KEY], null),
    ledger(['verify', file, '--key', 'abc'], null),
    ledger(['verify', file, '--site', 'x'], null),
  ]);
  site.close();
  expect(own).toMatchObject({ code: 3, output: expect.stringContaining('UNPROVEN') });
  expect(own.output).toContain('a key that only this file names');
  expect(other).toMatchObject({
    code: 1,
    output: expect.stringContaining('signed by another key'),
  });
  expect(published).toMatchObject({ code: 0, output: expect.stringContaining('VALID') });
  expect(published.output).toContain('none is missing');
  for (const wrong of [both, none, noUrl]) expect(wrong.code).toBe(2);
});

test('an export without a key is unsigned, and a filtered one states what it does not prove', async () => {
  const [plain, filtered, csv] = ['plain.jsonl', 'filtered.jsonl', 'table.csv'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const signed = { RECEIPT_KEY: SECRET };
  const [made] = await Promise.all([
    ledger(['export', plain]),
    ledger(['export', filtered, '--type', 'BetPlaced'], undefined, signed),
    ledger(['export', csv], undefined, signed),
  ]);
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('UNSIGNED') });
  const broken = join(folder, 'broken.csv');
  writeFileSync(broken, `${readFileSync(csv, 'utf8')}1`);
  copyFileSync(`${csv}.manifest.json`, `${broken}.manifest.json`);
  const [unsigned, part, table, brokenTable] = await Promise.all([
    ledger(['verify', plain, '--key', KEY], null),
    ledger(['verify', filtered, '--key', KEY], null),
    ledger(['verify', csv, '--key', KEY], null),
    ledger(['verify', broken, '--key', KEY], null),
  ]);
  expect(unsigned).toMatchObject({ code: 3, output: expect.stringContaining('UNSIGNED') });
  expect(part).toMatchObject({ code: 0, output: expect.stringContaining('VALID') });
  expect(part.output).toMatch(/does not\s+prove that the filter left nothing out/);
  expect(table).toMatchObject({ code: 0, output: expect.stringContaining('VALID') });
  expect(brokenTable).toMatchObject({
    code: 1,
    output: expect.stringContaining('differs from the manifest'),
  });
});
