import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayedLedger, type PlayedLedger } from '@reelbook/testing/played-ledger';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Progress, takeBackup, verifyBackup } from './backup.ts';
import { readHead, readLog } from './read-log.ts';
import { restoreBackup } from './restore.ts';
import { schemaFault } from './schema.ts';

const ROUNDS = 60;

let folder = '';
let ledger: PlayedLedger;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reelbook-backup-'));
  ledger = await createPlayedLedger();
  databases.push(ledger.database);
  await ledger.play(ROUNDS);
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function bare(): Promise<TestDatabase> {
  const database = await createDatabase({ bare: true });
  databases.push(database);
  return database;
}

const rowsOf = async (pool: pg.Pool, table: string) =>
  (await pool.query(`select t::text as row from ${table} t order by 1`)).rows;

test('a backup made while the ledger is written has the ledger of one point in time', async () => {
  const to = join(folder, 'first');
  const before = (await readHead(ledger.database.pool('app'))).position;
  const [manifest] = await Promise.all([
    takeBackup(ledger.database.pool('owner', 1), to),
    ledger.play(ROUNDS).then(() => ledger.play(ROUNDS)),
  ]);
  expect(manifest.head.position).toBeGreaterThanOrEqual(before);
  expect(await verifyBackup(to)).toEqual(manifest);
  const copy = await bare();
  await restoreBackup(copy.pool('owner', 1), to);
  const [there, here] = [copy.pool('app'), ledger.database.pool('app')];
  expect(await readHead(there)).toMatchObject(manifest.head);
  const limit = manifest.head.position;
  expect(await readLog(there, { from: 1, limit })).toEqual(await readLog(here, { from: 1, limit }));
});

test('contains every table of facts, and the restored ledger accepts appends', async () => {
  const to = join(folder, 'second');
  const reported = new Map<string, object>();
  const onProgress: Progress = ({ step, ...rest }) => void reported.set(step, rest);
  await takeBackup(ledger.database.pool('owner', 1), to, onProgress);
  const copy = await bare();
  const { tables } = await restoreBackup(copy.pool('owner', 1), to, onProgress);
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  expect(total).toBeGreaterThan(ROUNDS);
  const through = { done: total, total, of: 'rows' };
  const steps = { copying: through, reading: through, filling: through };
  expect(Object.fromEntries(reported)).toEqual(steps);
  const names = tables.map(({ name }) => name);
  const facts = [
    'idempotency_keys',
    'events',
    'ledger_head',
    'server_seeds',
    'streams',
    'treasury_scans',
  ];
  expect(names).toEqual(expect.arrayContaining(facts));
  expect(names.filter((name) => name.includes('sessions'))).toEqual([]);
  for (const name of names) {
    const [there, here] = [copy.pool('owner', 1), ledger.database.pool('owner', 1)];
    expect(await rowsOf(there, name), name).toEqual(await rowsOf(here, name));
    await Promise.all([there.end(), here.end()]);
  }
  expect(await schemaFault(copy.pool('app'))).toBeNull();
  await expect(copy.pool('owner').query('update events set type = type')).rejects.toThrow(
    'append-only',
  );
});

test('refuses a database that is not empty, a changed byte and an incomplete backup', async () => {
  const complete = join(folder, 'second');
  const owner = ledger.database.pool('owner', 1);
  await expect(restoreBackup(owner, complete)).rejects.toThrow('the database is not empty');
  const copy = await bare();
  const file = join(complete, 'events.copy.gz');
  const bytes = readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  writeFileSync(file, bytes);
  const restored = restoreBackup(copy.pool('owner', 1), complete);
  await expect(restored).rejects.toThrow(/events\.copy\.gz (cannot be read|is not what was)/);
  const path = join(complete, 'manifest.json');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/"rows": \d/, '"rows": 0'));
  await expect(verifyBackup(complete)).rejects.toThrow(
    'manifest.json was changed after the backup',
  );
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  writeFileSync(file, bytes);
  const { sha256: _, ...contents } = JSON.parse(text);
  contents.migrations[3].sha256 = contents.migrations[2].sha256;
  const sha256 = createHash('sha256').update(JSON.stringify(contents)).digest('hex');
  writeFileSync(path, JSON.stringify({ ...contents, sha256 }));
  const foreign = restoreBackup(copy.pool('owner', 1), complete);
  await expect(foreign).rejects.toThrow(/of another build: 0004_\w+\.sql differs in this build/);
  rmSync(path);
  await expect(verifyBackup(complete)).rejects.toThrow('no complete backup');
  const { rows } = await copy.pool('owner', 1).query("select to_regclass('migrations') as made");
  expect(rows).toEqual([{ made: null }]);
  await expect(takeBackup(owner, complete)).rejects.toThrow('second exists already');
  expect(readdirSync(folder).sort()).toEqual(['first', 'second']);
});

test('a process refuses a database with a newer or older schema', async () => {
  const pool = ledger.database.pool('app');
  const owner = ledger.database.pool('owner', 1);
  const name = '9999_of_a_later_build.sql';
  await owner.query("insert into migrations (name, sha256) values ($1, '')", [name]);
  expect(await schemaFault(pool)).toContain(`ahead of this build: it has ${name}`);
  await owner.query('delete from migrations where name = $1 or name like $2', [name, '0011%']);
  expect(await schemaFault(pool)).toContain('lacks 0011_dust.sql: run npm run reelbook -- migrate');
  expect(await schemaFault((await bare()).pool('owner'))).toContain('npm run reelbook -- migrate');
});
