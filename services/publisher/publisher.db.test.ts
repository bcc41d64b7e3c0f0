import type { Bus } from '@reelbook/event-store/bus/bus';
import { openPool } from '@reelbook/event-store/db';
import { chainHash, GENESIS_HASH, proveEvents } from '@reelbook/event-store/hash-chain';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { workerCheck } from '@reelbook/runtime/health';
import { openLog } from '@reelbook/runtime/log';
import { startBus, type TestBus } from '@reelbook/testing/bus';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { takeTo, textsIn } from '@reelbook/testing/messages';
import { natsAvailable } from '@reelbook/testing/nats';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  EMPTY_STREAM_BACKLOG,
  EVENTS_PER_READ,
  measurePublisher,
  type Publisher,
  startPublisher,
  type Timing,
} from './publisher.ts';

const log = openLog({ name: 'test', level: 'silent' });
/** Longer than a test on any machine: only the test takes leases away. */
const LONG_LEASE = { leaseMs: 600_000 };
const anna = walletOf(1);

let database: TestDatabase;
let history: ReturnType<typeof createHistory>;
let server: TestBus;
let bus: Bus;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await startBus();
});
beforeEach(async () => {
  database = await createDatabase();
  history = createHistory();
  history.register(anna, 100_000_000n);
  bus = await open();
  await bus.reset();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await database.drop();
});
afterAll(() => server.stop());

async function open(): Promise<Bus> {
  const handle = await server.open();
  if (server.nats) closers.push(() => handle.close());
  return handle;
}

async function start(bus: Bus, timing: Partial<Timing> = {}): Promise<Publisher> {
  const pool = database.pool('app', 2);
  const fast = { pollMaxMs: 50, restMaxMs: 10, standbyMs: 50, retryMaxMs: 200, ...timing };
  const publisher = await startPublisher({ pool, bus, log, timing: fast });
  closers.push(publisher.close);
  return publisher;
}

function bets(count: number): Promise<number> {
  for (let i = 0; i < count; i++) history.bet(anna, 100n, i % 2 === 0 ? 150n : 0n);
  return history.appendTo(database.pool('app'));
}

/** The contents of the stream from a position on, up to another. */
const stored = takeTo;

const reached = (bus: Bus, position: number) =>
  vi.waitFor(async () => expect(await bus.lastStored()).toMatchObject({ position }), WAIT);

/** The stream must have exactly the ledger's events, each once. */
async function expectComplete(bus: Bus, head: number): Promise<void> {
  const batches = await stored(bus, 1, head);
  const ledger = await readLog(database.pool('app'), { from: 1, limit: 10_000 });
  expect(textsIn(batches)).toEqual(ledger.map((event) => event.body));
  for (const batch of batches) {
    expect(await proveEvents(database.pool('app'), [batch])).toEqual([
      ledger.slice(batch.firstPosition - 1, batch.lastPosition).map((event) => event.hash),
    ]);
    for (const { stream, firstPosition } of batch.commands) {
      expect(firstPosition).toBe(ledger[firstPosition - 1]?.firstPosition);
      expect(stream).toBe(`player-${anna}`);
    }
  }
}

test('publishes every command, complete and in order', async () => {
  // 5 events, then 2 per command: a read of 2,000 ends in the middle of a command.
  await bets(EVENTS_PER_READ);
  const publisher = await start(bus);
  const head = await bets(20);
  await reached(bus, head);
  await expectComplete(bus, head);
  // Rewinds are not asserted: NATS on a busy machine may respond late, and a stored batch is then sent again.
  const published = { acting: true, failing: null, position: head };
  await vi.waitFor(() => expect(publisher.status()).toMatchObject(published), WAIT);
});

test('a nudge triggers a read', async () => {
  const publisher = await start(bus, { pollMinMs: 600_000, pollMaxMs: 600_000 });
  await vi.waitFor(() => expect(publisher.status().position).toBe(0), WAIT);
  const other = await open();
  const head = await bets(1);
  await vi.waitFor(async () => {
    other.nudge();
    expect(await bus.lastStored()).toMatchObject({ position: head });
  }, WAIT);
});

test('rests after a batch as long as is allowed, while commands gather', async () => {
  const [beginsMs, endsMs]: [number[], number[]] = [[], []];
  const publish: Bus['publish'] = async (commands) => {
    beginsMs.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, 10));
    await bus.publish(commands).finally(() => endsMs.push(performance.now()));
  };
  await start({ ...bus, publish }, { restMaxMs: 80 });
  let head = 0;
  while (beginsMs.length < 4) head = await bets(1);
  await reached(bus, head);
  const restsMs = beginsMs.slice(1).map((beginMs, n) => beginMs - (endsMs[n] ?? 0));
  // A timer may fire a millisecond early.
  for (const restMs of restsMs) expect(restMs).toBeGreaterThanOrEqual(79);
});

test('one acts at a time, and the next continues where it ended', async () => {
  const first = await start(bus, LONG_LEASE);
  await vi.waitFor(() => expect(first.status().acting).toBe(true), WAIT);
  const second = await start(await open(), LONG_LEASE);
  await reached(bus, await bets(3));
  expect(second.status()).toMatchObject({ acting: false, published: 0 });
  await first.close();
  const head = await bets(3);
  await reached(bus, head);
  await expect.poll(() => second.status().published).toBe(3);
  await expectComplete(bus, head);
});

test('a publisher that has not noticed the loss of its lease puts nothing out of order', async () => {
  const late = await start(bus, { ...LONG_LEASE, saveMs: 600_000 });
  await reached(bus, await bets(3));
  const owner = database.pool('owner');
  await owner.query("update checkpoints set lease_until = now() - interval '1 s'");
  const next = await start(await open(), { ...LONG_LEASE, saveMs: 600_000 });
  await vi.waitFor(() => expect(next.status().acting).toBe(true), WAIT);
  let head = 0;
  for (let i = 0; i < 40; i++) head = await bets(2);
  await reached(bus, head);
  expect(late.status().acting).toBe(true);
  await expectComplete(bus, head);
});

test('losing the lease clears the failure', async () => {
  const publish = () => Promise.reject(new Error('the server is away'));
  const late = await start({ ...bus, publish }, { saveMs: 50 });
  await bets(1);
  const failing = 'the server is away';
  await vi.waitFor(() => expect(late.status()).toMatchObject({ acting: true, failing }), WAIT);
  await database.pool('owner').query(
    `update checkpoints set lease_epoch = lease_epoch + 1, holder = 'another',
      lease_until = now() + interval '1 h' where name = 'publisher'`,
  );
  const well = { acting: false, failing: null };
  await vi.waitFor(() => expect(late.status()).toMatchObject(well), WAIT);
});

test('a failure ends with the next published command, not with the next read', async () => {
  let away = true;
  const publish: Bus['publish'] = (commands) =>
    away ? Promise.reject(new Error('the server is away')) : bus.publish(commands);
  // Reads after a publication practically never come: the status is the one that the turn ended with.
  const never = { pollMinMs: 600_000, pollMaxMs: 600_000 };
  const head = await bets(1);
  const publisher = await start({ ...bus, publish }, never);
  await vi.waitFor(() => expect(publisher.status().failing).toBe('the server is away'), WAIT);
  away = false;
  await reached(bus, head);
  await vi.waitFor(() => expect(publisher.status().failing).toBeNull(), WAIT);
  expect(workerCheck('publishing', publisher.status).check()).toBeNull();
});

/** One command that the ledger does not have. */
const strange = (firstPosition: number, previousHash: string) => {
  const hash = chainHash(previousHash, '{}');
  return { stream: `player-${anna}`, firstPosition, bodies: ['{}'], previousHash, hash };
};

test.each([
  ['ahead of the ledger', (head: number, hash: string) => strange(head + 1, hash)],
  ['of another ledger', () => strange(1, GENESIS_HASH)],
])('a stream that is %s stops publishing until an operator decides', async (_how, make) => {
  const head = await bets(3);
  const { hash } = await readHead(database.pool('app'));
  const foreign = make(head, hash);
  await bus.lastStored();
  await bus.publish([foreign]);
  const lastStored = vi.fn(bus.lastStored);
  const publisher = await start({ ...bus, lastStored });
  const registry = measurePublisher(publisher.status);
  await vi.waitFor(() => expect(publisher.status().foreignStream).toBe(true), WAIT);
  expect(publisher.status().failing).toContain(
    `the stream ends at position ${foreign.firstPosition} with hash ${foreign.hash.slice(0, 16)}`,
  );
  expect(await registry.metrics()).toMatch(/reelbook_publisher_foreign_stream\S* 1/);
  const later = await bets(3);
  const looks = lastStored.mock.calls.length;
  await vi.waitFor(() => expect(lastStored.mock.calls.length).toBeGreaterThan(looks + 2), WAIT);
  expect(await bus.lastStored()).toMatchObject({ hash: foreign.hash });
  expect(publisher.status()).toMatchObject({ published: 0, foreignStream: true });
  await bus.reset();
  await reached(bus, later);
  const well = { foreignStream: false, failing: null };
  await vi.waitFor(() => expect(publisher.status()).toMatchObject(well), WAIT);
});

test('an empty stream begins where publishing ended, or near the head of a long ledger', async () => {
  const first = await start(bus);
  const head = await bets(5);
  await reached(bus, head);
  await first.close();
  await bus.reset();
  await bus.lastStored();
  const second = await start(bus);
  const later = await bets(2);
  await reached(bus, later);
  expect((await stored(bus, 1, later))[0]?.firstPosition).toBe(head + 1);
  await second.close();
  await bus.reset();
  await bus.lastStored();
  await database.pool('owner').query('delete from checkpoints');
  const long = await bets(EMPTY_STREAM_BACKLOG / 2 + 100);
  await start(bus);
  await reached(bus, long);
  const [oldest] = await stored(bus, 1, long);
  expect(oldest?.firstPosition).toBeGreaterThan(long - EMPTY_STREAM_BACKLOG - 2);
});

describe.runIf(natsAvailable())('while NATS', () => {
  test('loses the stream it continues at its position, not where it took its lease', async () => {
    const publisher = await start(bus, { saveMs: 600_000 });
    const head = await bets(5);
    await vi.waitFor(() => expect(publisher.status().position).toBe(head), WAIT);
    await bets(1).then((next) => reached(bus, next));
    await bus.reset();
    const later = await bets(1);
    await reached(bus, later);
    expect((await stored(bus, 1, later))[0]?.firstPosition).toBeGreaterThan(head);
  });

  test('is away the ledger accepts appends, and all of them are published afterwards', async () => {
    if (!server.nats?.process) return;
    const publisher = await start(bus);
    await reached(bus, await bets(2));
    await server.nats.process.kill();
    const head = await bets(50);
    await vi.waitFor(() => expect(publisher.status().failing).not.toBeNull(), WAIT);
    await server.nats.process.start();
    const published = { position: head, failing: null };
    await vi.waitFor(() => expect(publisher.status()).toMatchObject(published), WAIT);
    await expectComplete(bus, head);
  });
});

test('retries while Postgres cuts its connections', async () => {
  const pool = openPool({ url: database.url, role: 'app', max: 2, name: 'cut' });
  const timing = { pollMaxMs: 50, retryMaxMs: 200 };
  const publisher = await startPublisher({ pool, bus, log, timing });
  closers.push(() => pool.end(), publisher.close);
  await reached(bus, await bets(2));
  const cut = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1';
  await database.pool('owner').query(cut, ['reelbook-cut']);
  const head = await bets(2);
  await reached(bus, head);
  await expectComplete(bus, head);
});
