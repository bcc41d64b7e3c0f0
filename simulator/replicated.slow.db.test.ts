/** A Postgres whose synchronous standby does not answer: what is on one server only is not acknowledged and not shown. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostUrls, isUnavailable, openPool } from '@reelbook/event-store/db';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import type { Execution } from '@reelbook/event-store/execution';
import { GENESIS_HASH } from '@reelbook/event-store/hash-chain';
import { compareHead, watchHead } from '@reelbook/event-store/known-head';
import { migrate } from '@reelbook/event-store/migrate';
import { readHead } from '@reelbook/event-store/read-log';
import { openStandby } from '@reelbook/event-store/standby';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import { readCommands } from '@reelbook/publisher/publisher';
import { freePort } from '@reelbook/runtime/ports';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';
import { rewriteLedger, tamperWith } from '@reelbook/testing/tamper';
import { WAIT } from '@reelbook/testing/wait';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

const ABSENT = 'absent';

let folder = '';
let postgres: EmbeddedPostgres;
/** A session from before every fault, past our pools. */
let owner: pg.Client;
let app: pg.Pool;
let executor: CommandExecutor;

const open = (url = postgres.url) => openPool({ url, role: 'app', max: 4, name: 'replicated' });

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function setStandby(name: string, on = owner): Promise<void> {
  await on.query(`alter system set synchronous_standby_names = '${name}'`);
  await on.query('select pg_reload_conf()');
  await vi.waitFor(async () => {
    const { rows } = await on.query('show synchronous_standby_names');
    expect(rows).toEqual([{ synchronous_standby_names: name }]);
  }, WAIT);
  if (name !== '') await untilCommitsWait(on);
}

/** Commits wait only after the checkpointer has read the setting as well. */
async function untilCommitsWait(on: pg.Client): Promise<void> {
  const one = await connect(`postgres://${on.user}:${on.password}@${on.host}:${on.port}/postgres`);
  const { rows } = await one.query<{ pid: number }>('select pg_backend_pid() as pid');
  let over = false;
  const committing = (async () => {
    while (!over) await one.query("select pg_logical_emit_message(true, '', '')");
  })().catch(() => {});
  await vi.waitFor(async () => {
    const found = await on.query('select wait_event from pg_stat_activity where pid = $1', [
      rows[0]?.pid,
    ]);
    expect(found.rows).toEqual([{ wait_event: 'SyncRep' }]);
  }, WAIT);
  over = true;
  await on.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await committing;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reelbook-replicated-'));
  postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), durable: false });
  owner = await connect(postgres.url);
  const migrating = openPool({ url: postgres.url, role: 'owner', max: 1, name: 'replicated' });
  await migrate(migrating);
  await migrating.end();
});
beforeEach(() => {
  app = open();
  executor = startExecutor({ pool: app });
});
afterEach(async () => {
  await setStandby('');
  await executor.close();
  await app.end();
});
afterAll(async () => {
  await owner.end();
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
});

const LIMITS = { enabled: true, minStakeMinor: 100n, maxStakeMinor: 100_000n, maxLines: 25 };
let players = 0;

/** Registers a player. @returns a bet of all points: repeated, the rules would refuse it but for its key. */
async function newBet(): Promise<Execution<never, never, never>> {
  const wallet = String.fromCharCode('A'.charCodeAt(0) + players++).repeat(43);
  const registration = {
    publicId: `p${players}`,
    welcomePointsMinor: 1_000n,
    activeHash: 'a'.repeat(64),
    nextHash: 'b'.repeat(64),
    clientSeed: 'seed',
  };
  const login = { type: 'StartSession', wallet, session: 's', registration } as const;
  const of = (key: string, prepare: (state: PlayerState) => object) =>
    ({
      decider: playerDecider,
      stream: playerStream(wallet),
      idempotencyKey: `command:${wallet}:${key}`,
      request: key,
      meta: { correlation: 'test', actor: 'system' },
      prepare: async (state: PlayerState) => ({ command: prepare(state), configVersion: null }),
    }) as unknown as Execution<never, never, never>;
  await executor.execute(of('login', () => login));
  return of('bet', ({ seeds }) => ({
    ...{ type: 'PlaceBet', game: 'test', rules: 't-1', lines: 1, stakeMinor: 1_000n },
    ...{ bigWinMultiple: 4, pair: seeds?.pair, nonce: seeds?.nonce, limits: LIMITS },
    draw: () => ({ outcome: { nonce: seeds?.nonce }, payoutMinor: 0n }),
  }));
}

const outcome = (execution: Execution<never, never, never>) =>
  executor.execute(execution).then(
    ({ kind }) => kind as string,
    (error: unknown) => (isUnavailable(error) ? 'unavailable' : String(error)),
  );

const head = async () =>
  Number((await owner.query('select position from ledger_head')).rows[0].position);

async function waiting(): Promise<number> {
  let pid = 0;
  await vi.waitFor(async () => {
    const { rows } = await owner.query(
      "select pid from pg_stat_activity where wait_event = 'SyncRep' order by backend_start",
    );
    expect(rows).not.toEqual([]);
    pid = rows[0].pid;
  }, WAIT);
  return pid;
}

/** What the publisher would send. */
const published = () =>
  readCommands(app, { position: 0, hash: GENESIS_HASH }).then(
    ({ commands }) => commands.length,
    (error: unknown) => (isUnavailable(error) ? 'unavailable' : String(error)),
  );

test('an append waits for the standby longer than every time limit; meanwhile no reader sees it, and its repetition waits too', async () => {
  const execution = await newBet();
  const before = await head();
  await setStandby(ABSENT);
  // The limits of a statement, of a response, of a lock and of a caller pass.
  expect(await outcome(execution)).toBe('unavailable');
  expect(await outcome(execution)).toBe('unavailable');
  await waiting();
  expect(await head()).toBe(before);
  await setStandby('');
  expect(await executor.execute(execution)).toMatchObject({ kind: 'done', replayed: true });
  expect(await head()).toBe(before + 2);
});

describe.each(['pg_cancel_backend', 'pg_terminate_backend'])('a wait that %s ends', (end) => {
  test('acknowledges nothing, also to a repetition by its key, and the bus gets nothing', async () => {
    const execution = await newBet();
    const before = await head();
    await setStandby(ABSENT);
    const first = outcome(execution);
    await owner.query(`select ${end}(${await waiting()})`);
    // Postgres now shows it, although no standby has it.
    await vi.waitFor(async () => expect(await head()).toBe(before + 2), WAIT);
    expect(await first).toBe('unavailable');
    expect(await outcome(execution)).toBe('unavailable');
    expect(await published()).toBe('unavailable');
    await setStandby('');
    expect(await executor.execute(execution)).toMatchObject({ kind: 'done', replayed: true });
    expect(await head()).toBe(before + 2);
    expect(await published()).toBeGreaterThan(0);
  });
});

test('what only the leader has is not known: its loss is no ledger that went back', async () => {
  const watched = open();
  const stop = new AbortController();
  watchHead(watched, { signal: stop.signal, fail: () => {} });
  // Only the comparisons below.
  stop.abort();
  const execution = await newBet();
  const before = await head();
  const loseLast = () =>
    tamperWith(
      all,
      (client) => rewriteLedger(client, ({ position }) => position <= before),
      () => compareHead(watched),
    );
  const all = openPool({ url: postgres.url, role: 'owner', max: 1, name: 'replicated' });
  await compareHead(watched);
  await setStandby(ABSENT);
  const first = outcome(execution);
  await owner.query(`select pg_cancel_backend(${await waiting()})`);
  await vi.waitFor(async () => expect(await head()).toBe(before + 2), WAIT);
  expect(await first).toBe('unavailable');
  await compareHead(watched);
  await setStandby('');
  await loseLast();
  // With everything confirmed it is known.
  await compareHead(watched);
  await expect(loseLast()).rejects.toThrow(`it ends at #${before}, and #${before + 2} was known`);
  await Promise.all([watched.end(), all.end()]);
});

test('a process goes on reading while no standby confirms what others have appended', async () => {
  const url = postgres.url;
  const watched = openPool({ url, role: 'app', max: 1, name: 'replicated' });
  const stop = new AbortController();
  watchHead(watched, { signal: stop.signal, fail: () => {} });
  await readHead(watched);
  await executor.execute(await newBet());
  await setStandby(ABSENT);
  for (let round = 0; round < 3; round++) {
    const comparing = compareHead(watched);
    await waiting();
    expect((await readHead(watched)).position).toBe(await head());
    await comparing;
  }
  stop.abort();
  await watched.end();
});

test('a leader that cannot confirm what it has does not answer a caller that knows more', async () => {
  const standby = openStandby({ leader: app, url: postgres.url, name: 'test', max: 1 });
  const position = await head();
  const read = async (known: number) => (await standby.read(known, readHead)).position;
  expect(await read(position)).toBe(position);
  await setStandby(ABSENT);
  expect(await read(position)).toBe(position);
  await expect(read(position + 1)).rejects.toSatisfy(isUnavailable);
  await setStandby('');
  // As after a restore.
  expect(await read(position + 1)).toBe(position);
  await standby.close();
});

test('after a crash of the server no connection shows what the standby does not have', async () => {
  const execution = await newBet();
  const before = await head();
  await setStandby(ABSENT);
  const first = outcome(execution);
  // Ends all sessions; recovery then finishes the commit.
  process.kill(await waiting(), 'SIGKILL');
  expect(await first).toBe('unavailable');
  await vi.waitFor(async () => {
    owner = await connect(postgres.url);
    expect(await head()).toBe(before + 2);
  }, WAIT);
  await expect(readHead(app)).rejects.toSatisfy(isUnavailable);
  await setStandby('');
  expect((await readHead(app)).position).toBe(before + 2);
  expect(await executor.execute(execution)).toMatchObject({ kind: 'done', replayed: true });
});

test('attempts to connect and to find a key do not take more and more connections of Postgres', async () => {
  const execution = await newBet();
  await executor.execute(execution);
  await setStandby(ABSENT);
  const several = open(postgres.url.replace(/@([^/]+)/, '@$1,$1'));
  for (let attempt = 0; attempt < 5; attempt++) {
    await expect(several.query('select')).rejects.toSatisfy(isUnavailable);
    expect(await outcome(execution)).toBe('unavailable');
  }
  await vi.waitFor(async () => {
    const { rows } = await owner.query(
      "select query from pg_stat_activity where wait_event = 'SyncRep'",
    );
    expect(rows).toEqual([]);
  }, WAIT);
  await setStandby('');
  expect(await executor.execute(execution)).toMatchObject({ kind: 'done', replayed: true });
  await several.query('select');
  await several.end();
});

test('no setting of a role or a database makes a session acknowledge earlier', async () => {
  const loosened = ['role reelbook', 'database postgres', 'role reelbook_app'];
  try {
    for (const one of loosened) await owner.query(`alter ${one} set synchronous_commit = off`);
    const { rows } = await app.query('show synchronous_commit');
    expect(rows).toEqual([{ synchronous_commit: 'on' }]);
  } finally {
    for (const one of loosened) await owner.query(`alter ${one} reset synchronous_commit`);
  }
});

test('of several hosts the one that commits is used, and after its loss the next one', async () => {
  const other = await startEmbeddedPostgres({ folder: join(folder, 'other'), durable: false });
  try {
    const set = await connect(other.url);
    const password = "create role reelbook_app; alter role reelbook password '%'";
    await set.query(password.replace('%', new URL(postgres.url).password));
    set.password = new URL(postgres.url).password;
    await setStandby(ABSENT, set);
    const hosts = [
      `127.0.0.1:${await freePort()}`,
      new URL(other.url).host,
      new URL(postgres.url).host,
    ];
    const pool = open(postgres.url.replace(new URL(postgres.url).host, hosts.join()));
    const portOf = async (db: pg.Pool | pg.PoolClient) =>
      (await db.query('show port')).rows[0].port;
    const port = () => portOf(pool);
    // One does not listen, one has no standby.
    expect(await port()).toBe(new URL(postgres.url).port);
    await setStandby(ABSENT);
    await setStandby('', set);
    // As its loss would.
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'reelbook-replicated'",
    );
    await vi.waitFor(async () => expect(await port()).toBe(new URL(other.url).port), WAIT);
    await setStandby('');
    // It goes on with its sessions, and another one leads: they are closed, also those that are in use.
    const [used, idle] = [await pool.connect(), await pool.connect()];
    await setStandby(ABSENT, set);
    const fresh = await vi.waitFor(() => pool.connect(), WAIT);
    expect(await portOf(fresh)).toBe(new URL(postgres.url).port);
    for (const one of [used, idle]) one.release();
    const three = await Promise.all([fresh, pool.connect(), pool.connect()]);
    for (const one of three) expect(await portOf(one)).toBe(new URL(postgres.url).port);
    for (const one of three) one.release();
    await setStandby(ABSENT);
    await setStandby('', set);
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'reelbook-replicated'",
    );
    await vi.waitFor(async () => expect(await port()).toBe(new URL(other.url).port), WAIT);
    await setStandby('');
    await set.end();
    // Another one leads from the middle of a read on: its data are not returned with a position of that one.
    const standby = openStandby({ leader: pool, url: postgres.url, name: 'test', max: 1 });
    const isNow = async () => expect(await port()).toBe(new URL(postgres.url).port);
    const { data } = await standby.read(null, async (db) => {
      const found = await portOf(db);
      await other.close();
      await vi.waitFor(isNow, WAIT);
      return found;
    });
    expect(data).toBe(new URL(postgres.url).port);
    await standby.close();
    await pool.end();
  } finally {
    await other.close();
  }
});

test('a URL may name several hosts', () => {
  expect(hostUrls('postgres://me:p%40w@a:1,[::1]:2,c/ledger?sslmode=require')).toEqual([
    'postgres://me:p%40w@a:1/ledger?sslmode=require',
    'postgres://me:p%40w@[::1]:2/ledger?sslmode=require',
    'postgres://me:p%40w@c/ledger?sslmode=require',
  ]);
  expect(hostUrls('postgres://a/b,c')).toEqual(['postgres://a/b,c']);
  expect(hostUrls('postgres:///ledger?host=/run')).toEqual(['postgres:///ledger?host=/run']);
});
