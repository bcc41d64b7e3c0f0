import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLog } from '../log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './cluster.ts';

/** Only a failing test waits so long. */
const WAIT = { timeout: 60_000, interval: 25 };

let folder = '';
beforeEach(() => {
  // A folder that only the current user may open; as root, Postgres's account may not.
  folder = mkdtempSync(join(tmpdir(), 'reelbook-cluster-'));
  chmodSync(folder, 0o700);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = () => startEmbeddedPostgres({ folder: join(folder, 'postgres'), durable: false });

async function query(postgres: EmbeddedPostgres, sql: string) {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('committed data survive a restart', async () => {
  const first = await start();
  await query(first, "create table kept as select 'yes' as word");
  await first.close();
  const second = await start();
  expect(await query(second, 'select word from kept')).toEqual([{ word: 'yes' }]);
  await second.close();
});

test('the log of a broken connection has no cancel key', async () => {
  const postgres = await start();
  const lines: string[] = [];
  const log = openLog({ name: 'test', level: 'info', sink: { write: (line) => lines.push(line) } });
  const pool = new pg.Pool({ connectionString: postgres.url });
  // The pool adds its client, with the key, to the error of an idle connection.
  const broken = new Promise((resolve) => pool.once('error', resolve));
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  await query(postgres, `select pg_terminate_backend(${rows[0]?.pid})`);
  const error = await broken;
  expect(error).toMatchObject({ client: { secretKey: expect.any(Number) } });
  log.error({ err: error }, 'failed');
  const { err } = JSON.parse(lines[0] ?? '') as { readonly err: object };
  expect(Object.keys(err)).toEqual(['type', 'message', 'stack', 'code']);
  await pool.end();
  await postgres.close();
});

test('a server left by a killed run is ended, and its data are kept', async () => {
  const left = await start();
  await query(left, "create table kept as select 'yes' as word");
  const second = await start();
  await left.ended;
  expect(readFileSync(second.logFile, 'utf8')).toContain('database system was shut down at');
  expect(await query(second, 'select word from kept')).toEqual([{ word: 'yes' }]);
  await second.close();
});

test('a server process that outlives a killed postmaster is ended', async () => {
  const killed = await start();
  // Without waiting for anything, it does not notice the end of the postmaster.
  const busy = query(killed, 'select count(*) from generate_series(1, 1000000000000)');
  const isBusy = "select from pg_stat_activity where state = 'active' and query like '%series%'";
  await vi.waitFor(async () => expect(await query(killed, isBusy)).toHaveLength(2), WAIT);
  const failed = expect(busy).rejects.toThrow();
  const pidFile = join(folder, 'postgres/cluster/postmaster.pid');
  process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL');
  await killed.ended;
  const second = await start();
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
  await failed;
  await second.close();
});

test('a lock that names an unrelated process is removed, and the process keeps running', async () => {
  const first = await start();
  const pidFile = join(folder, 'postgres/cluster/postmaster.pid');
  const text = readFileSync(pidFile, 'utf8');
  await first.close();
  writeFileSync(pidFile, text.replace(/^\d+/, String(process.pid)));
  const second = await start();
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.close();
});

test('a cluster whose creation was killed is created again', async () => {
  mkdirSync(join(folder, 'postgres/cluster.new/base'), { recursive: true });
  const postgres = await start();
  expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
  await postgres.close();
});

test('a login without the password is refused', async () => {
  const postgres = await start();
  const url = new URL(postgres.url);
  url.password = 'guess';
  const stranger = new pg.Client({ connectionString: url.href });
  await expect(stranger.connect()).rejects.toThrow('password authentication failed');
  await stranger.end();
  await postgres.close();
});
