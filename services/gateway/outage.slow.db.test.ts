/** The gateway with a database that is down, unreachable, or blocked by an idle transaction. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { closeCodes } from '@reelbook/contract/socket';
import type { Bus } from '@reelbook/event-store/bus/bus';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { openPool } from '@reelbook/event-store/db';
import { openLog } from '@reelbook/runtime/log';
import { freePort } from '@reelbook/runtime/ports';
import { NOWHERE, openServices } from '@reelbook/simulator/stages/services';
import { openSocket } from '@reelbook/simulator/stages/site';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createWallet, TEST_ORIGIN } from '@reelbook/testing/wallets';
import { layWire, type Wire } from '@reelbook/testing/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startGateway } from './gateway.ts';

let database: TestDatabase;
let wire: Wire;
let bus: Bus;
let token = '';
let origin = '';
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  database = await createDatabase();
  wire = await layWire(database.url);
  const pool = openPool({ url: wire.url, role: 'app', max: 4, name: 'outage' });
  bus = createInProcessBus();
  const gateway = await startGateway({
    pool,
    bus,
    log: openLog({ name: 'outage', level: 'silent' }),
    settings: {
      host: '127.0.0.1',
      port: 0,
      publicOrigin: TEST_ORIGIN,
      sessionKey: randomBytes(32),
      receiptKey: randomBytes(32),
      seedKey: randomBytes(32),
      seedKeyId: 'test',
      localChain: true,
      gameTickMs: 1_000,
      webRoot: null,
    },
  });
  closers.push(gateway.close, bus.close, () => pool.end(), wire.cut);
  origin = gateway.url;
  const login = await send('/api/v1/auth/login', createWallet().login(Date.now()));
  ({ token } = ((await login.json()) as { data: { token: string } }).data);
  expect((await bet('first')).status).toBe(200);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await database.drop();
});

function send(path: string, body?: unknown, key?: string): Promise<Response> {
  return fetch(origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const bet = (key: string) => send('/api/v1/game/slot-machine/bet', { bet_amount: 1 }, key);

async function expectAway(...answers: readonly Response[]): Promise<void> {
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ code: 503, data: { error: 'unavailable' } });
  }
}

/** By the same key, however often. */
const expectServed = (key: string) => expect.poll(async () => (await bet(key)).status).toBe(200);

async function expectRounds(rounds: number): Promise<void> {
  const { rows } = await database
    .pool('app')
    .query("select count(*)::int as rounds from events where type = 'BetPlaced'");
  expect(rows).toEqual([{ rounds }]);
}

test('without the database every call is a 503 with a retry time; it recovers automatically', async () => {
  await wire.cut();
  const calls = [
    bet('second'),
    send('/api/v1/user/balance'),
    send('/api/v1/auth/login', createWallet().login(Date.now())),
    send('/health'),
  ];
  await expectAway(...(await Promise.all(calls)));
  const ready = await send('/ready');
  expect(ready.status).toBe(503);
  expect(Number(ready.headers.get('retry-after'))).toBeGreaterThan(0);
  // The errors name the address of the database.
  expect(await ready.json()).toEqual({
    status: 'unavailable',
    checks: {
      ledger: 'unavailable',
      clocks: 'unavailable',
      'ledger-time': 'unavailable',
      integrity: 'unavailable',
      bus: null,
    },
  });
  await wire.restore();
  await expectServed('second');
  await expect.poll(async () => (await send('/ready')).status).toBe(200);
  await expectRounds(2);
});

test('without the bus the gateway is ready and names it', async () => {
  await bus.close();
  expect((await bet('second')).status).toBe(200);
  const ready = await send('/ready');
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({
    status: 'ok',
    checks: { ledger: null, clocks: null, bus: 'unavailable: pushes are delayed' },
  });
});

test('a subscription that cannot be read closes its socket, so that the client reconnects', async () => {
  const socket = await openSocket(origin, token, { subscribe: false });
  socket.send({ type: 'ping' });
  await socket.receive('pong');
  await wire.cut();
  socket.send({ type: 'subscribe', data: 'user_events' });
  expect(await socket.closed).toBe(closeCodes.restart);
  await wire.restore();
  await (await openSocket(origin, token)).receive('subscribed');
});

test('connections without a response are closed and replaced', async () => {
  // All four are open and in the pool before the network stops responding.
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => send('/api/v1/user/balance')));
  wire.silence();
  await expectAway(...(await Promise.all([bet('second'), send('/api/v1/user/balance')])));
  await wire.restore();
  await expectServed('second');
  await expectServed('first');
  await expectRounds(2);
});

test('a response that the network lost is returned again for its key', async () => {
  const owner = database.pool('owner', 2);
  // The append waits for the head while the network works, and completes when it no longer does.
  const holder = await owner.connect();
  await holder.query('begin');
  await holder.query('select from ledger_head for update');
  const lost = bet('second');
  await expect
    .poll(async () => {
      const waiting = `select count(*)::int as waiting from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`;
      return (await owner.query(waiting)).rows;
    })
    .toEqual([{ waiting: 1 }]);
  wire.silence();
  await holder.query('rollback');
  holder.release();
  await expectAway(await lost);
  await wire.restore();
  await expectServed('second');
  await expectRounds(2);
});

test('an idle transaction that locks the head causes fast refusals while it lasts', async () => {
  const holder = await database.pool('owner', 1).connect();
  await holder.query('begin');
  await holder.query('select from ledger_head for update');
  await expectAway(...(await Promise.all([bet('second'), bet('third')])));
  expect((await send('/api/v1/user/balance')).status).toBe(200);
  await holder.query('rollback');
  holder.release();
  await expectServed('second');
  await expectRounds(2);
});

test('processes that are started before their database wait for it', async () => {
  await wire.cut();
  const port = String(await freePort());
  const settings = { PLAY_MONEY: 'yes', NATS_URL: NOWHERE, PORT: port };
  const opened = await openServices(wire.url, settings);
  const early = ['gateway', 'projector'].map((main) => opened.start(main, main));
  const reportedAll = () => early.every(({ name }) => opened.logOf(name).includes('waiting'));
  await expect.poll(reportedAll).toBe(true);
  await wire.restore();
  const ready = () => fetch(`http://127.0.0.1:${port}/ready`).then((answer) => answer.status);
  await expect.poll(() => ready().catch(() => 0)).toBe(200);
  const built = "select count(*)::int > 0 as built from checkpoints where name = 'balances'";
  const app = database.pool('app', 1);
  const isBuilt = async () => (await app.query(built)).rows[0]?.built;
  await expect.poll(isBuilt).toBe(true);
  expect(early.map((one) => [one.badStarts(), one.faults])).toEqual([
    [0, []],
    [0, []],
  ]);
  await opened.stop();
  rmSync(opened.folder, { recursive: true });
});
