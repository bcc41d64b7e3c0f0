import type { Bus } from '@reelbook/bus/bus';
import { createInProcessBus } from '@reelbook/bus/in-process';
import { connectNats } from '@reelbook/bus/nats';
import { chainHash } from '@reelbook/event-store/chain';
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { openPool } from '@reelbook/event-store/db';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { projections } from '@reelbook/projections/all';
import { balances } from '@reelbook/projections/balances/projection';
import { replayAndCompare } from '@reelbook/projections/compare';
import { readLeaderboard } from '@reelbook/projections/leaderboards/read';
import type { Projection } from '@reelbook/projections/projection';
import { startPublisher } from '@reelbook/publisher/publisher';
import { openLog } from '@reelbook/runtime/log';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { natsAvailable, startNats } from '@reelbook/testing/nats';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Projector, startProjector } from './projector.ts';
import type { Timing } from './worker.ts';

const log = openLog({ name: 'test', level: 'silent' });
const WAIT = { timeout: 20_000, interval: 20 };
/** Longer than a test: what happens before it comes over the bus. */
const NEVER_MS = 600_000;
const FAST: Partial<Timing> = { standbyMs: 50, pollMs: 100, pollDownMs: 100, retryMaxMs: 200 };

let database: TestDatabase;
let history: ReturnType<typeof createHistory>;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  database = await createDatabase();
  history = createHistory();
  for (let n = 0; n < 5; n++) history.register(walletOf(n), 100_000_000n);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await database.drop();
});

interface Choice {
  readonly bus: Bus;
  readonly pool?: pg.Pool;
  readonly timing?: Partial<Timing>;
  readonly projections?: readonly Projection[];
}

async function start({ pool, timing, ...rest }: Choice): Promise<Projector> {
  const projector = await startProjector({
    ...rest,
    pool: pool ?? database.pool('projector', 8),
    log,
    timing: { ...FAST, ...timing },
  });
  closers.push(projector.close);
  return projector;
}

async function publishing(bus: Bus): Promise<void> {
  const publisher = await startPublisher({ pool: database.pool('app', 2), bus, log });
  closers.push(publisher.close);
}

function play(rounds: number): Promise<number> {
  for (let i = 0; i < rounds; i++) {
    const wallet = walletOf(i % 5);
    history.bet(wallet, 100n, BigInt((i % 4) * 150));
    if (i % 10 === 0) history.rename(wallet, `Player ${i}`);
    if (i % 25 === 0) history.rotate(wallet);
  }
  return history.appendTo(database.pool('app'));
}

const positions = async () =>
  new Map((await readCheckpoints(database.pool('app'))).map((one) => [one.name, one]));

function reached(position: number, names = projections.map((one) => one.name)): Promise<void> {
  return vi.waitFor(async () => {
    const all = await positions();
    expect(names.map((name) => all.get(name)?.position)).toEqual(names.map(() => position));
  }, WAIT);
}

async function expectReplaysEqual(): Promise<void> {
  for (const projection of projections) {
    const compared = await replayAndCompare(database.pool('app', 4), projection);
    expect(compared, projection.name).toMatchObject({ equal: true, firstDifference: null });
  }
}

const hasNats = natsAvailable();
if (!hasNats) {
  console.warn('LEFT OUT: the projector over NATS. Put nats-server on the PATH or set NATS_URL.');
}
const couriers = [
  { name: 'in process', open: async () => createInProcessBus() },
  ...(hasNats
    ? [
        {
          name: 'over NATS',
          async open() {
            const server = await startNats();
            const bus = await connectNats({ url: server.url, log });
            closers.push(server.stop, () => bus.close());
            return bus;
          },
        },
      ]
    : []),
];

describe.each(couriers)('$name', ({ open }) => {
  test('catches up from Postgres, then lives on the bus alone', async () => {
    const bus = await open();
    const before = await play(300);
    const projector = await start({ bus, timing: { pollMs: NEVER_MS } });
    await reached(before);
    await publishing(bus);
    const first = await play(1);
    // What was appended between its look at the head and its place in the stream came over the bus as well.
    await reached(first);
    for (let i = 0; i < 30; i++) await play(3);
    await reached((await readHead(database.pool('app'))).position);
    await expectReplaysEqual();
    for (const status of projector.status()) {
      expect(status).toMatchObject({ state: 'working', failing: null });
    }
    const board = await readLeaderboard(database.pool('app'), { board: 'wins', limit: 10 });
    expect(board).toHaveLength(5);
  });

  test('a bus without news is no reason to stay behind', async () => {
    const bus = await open();
    await start({ bus });
    await reached(await play(10));
    await bus.close();
    await reached(await play(10));
    await expectReplaysEqual();
  });
});

/** Messages of the whole book, for a bus that a test fills by itself. */
async function messages(change: (event: RecordedEvent) => string = (event) => event.body) {
  const events = await readLog(database.pool('app'), { from: 1, limit: 10_000 });
  return events.map((event) => ({
    kind: 'player',
    id: 'x',
    firstPosition: event.position,
    lastPosition: event.position,
    firstVersion: event.version,
    lastVersion: event.version,
    bodies: [change(event)],
    hashes: [event.hash],
  }));
}

test('a gap on the bus is read from Postgres', async () => {
  const bus = createInProcessBus();
  await start({ bus, timing: { pollMs: NEVER_MS } });
  const seen = await play(0);
  await bus.publish((await messages()).slice(0, seen));
  await reached(seen);
  const head = await play(20);
  await bus.reset();
  await bus.publish((await messages()).slice(-3));
  await reached(head);
  await expectReplaysEqual();
});

test('doubled and late messages change nothing', async () => {
  const bus = createInProcessBus();
  await start({ bus, timing: { pollMs: NEVER_MS } });
  const head = await play(20);
  for (const again of [0, 3, 1]) {
    await bus.reset();
    await bus.publish((await messages()).slice(again));
  }
  await reached(head);
  await expectReplaysEqual();
});

test('changed and forged messages change nothing', async () => {
  const bus = createInProcessBus();
  await start({ bus, timing: { pollMs: 300 } });
  const head = await play(5);
  await bus.publish(await messages(({ body }) => body.replace('"100"', '"999"')));
  await reached(head);
  const { hash, time } = await readHead(database.pool('app'));
  const forged = JSON.stringify({
    position: head + 1,
    stream: `player-${walletOf(0)}`,
    version: 999,
    type: 'WelcomeGranted',
    time,
    data: { pointsMinor: '1', after: { pointsMinor: '99999999999', tokenMinor: '0' } },
    meta: { command: 'c', correlation: 'c', actor: 'system:forger' },
  });
  const [last] = (await messages()).slice(-1);
  await bus.publish([
    {
      ...(last as NonNullable<typeof last>),
      firstPosition: head + 1,
      lastPosition: head + 1,
      bodies: [forged],
      hashes: [chainHash(hash, forged)],
    },
  ]);
  await reached(await play(5));
  await expectReplaysEqual();
});

/** `balances`, but it cannot take one position as long as `poisoned` says so. */
function poisonable(at: { position: number | null }): Projection {
  return {
    ...(balances as Projection),
    fold(events) {
      if (events.some((event) => event.position === at.position)) throw new Error('poison');
      return balances.fold(events);
    },
  };
}

test('poison stops its projection at the very event, the others go on; mended it goes on', async () => {
  const bus = createInProcessBus();
  const poison = { position: 130 as number | null };
  const others = projections.filter((one) => one.name !== 'balances');
  const registry = [poisonable(poison), ...others];
  const projector = await start({ bus, projections: registry });
  await publishing(bus);
  const names = others.map((one) => one.name);
  const head = await play(100);
  await reached(head, names);
  await vi.waitFor(async () => {
    expect((await positions()).get('balances')).toMatchObject({
      position: 129,
      status: 'stopped',
      error: 'position 130: Error: poison',
    });
  }, WAIT);
  expect(projector.status()[0]).toMatchObject({ state: 'stopped', failing: 'Error: poison' });
  const later = await play(10);
  await reached(later, names);
  expect((await positions()).get('balances')?.position).toBe(129);
  poison.position = null;
  const owner = database.pool('owner');
  await owner.query(
    "update checkpoints set status = 'running', error = null where status <> 'running'",
  );
  await reached(later);
  await expectReplaysEqual();
  expect(projector.status()[0]).toMatchObject({ state: 'working', failing: null });
});

test('a restart tries a stopped projection again', async () => {
  const bus = createInProcessBus();
  const poison = { position: 20 as number | null };
  const first = await start({ bus, projections: [poisonable(poison)] });
  const head = await play(20);
  await vi.waitFor(async () => {
    expect((await positions()).get('balances')).toMatchObject({ position: 19, status: 'stopped' });
  }, WAIT);
  await first.close();
  await start({ bus, projections: [balances as Projection] });
  await reached(head, ['balances']);
});

test('an event type that nobody knows stops every projection before it', async () => {
  const bus = createInProcessBus();
  const projector = await start({ bus });
  const head = await play(5);
  await reached(head);
  const last = await readHead(database.pool('app'));
  const body = `{"position":${head + 1},"stream":"config","version":1,"type":"Invented","time":"${last.time}","data":{},"meta":{}}`;
  await database
    .pool('owner')
    .query(
      `insert into events values ($1, $1, stream_key('config'), 1, 'Invented', $2, decode($3, 'hex'), now())`,
      [head + 1, body, chainHash(last.hash, body)],
    );
  await vi.waitFor(() => {
    for (const status of projector.status()) expect(status.state).toBe('stopped');
  }, WAIT);
  for (const [, checkpoint] of await positions()) expect(checkpoint.position).toBe(head);
});

test('of two projectors one works; the other takes over when it goes', async () => {
  const bus = createInProcessBus();
  await publishing(bus);
  const first = await start({ bus });
  await reached(await play(5));
  const second = await start({ bus });
  await reached(await play(5));
  for (const status of second.status()) expect(status.state).toBe('standby');
  await first.close();
  await reached(await play(5));
  for (const status of second.status()) expect(status.state).toBe('working');
  await expectReplaysEqual();
});

test('one that sleeps through the loss of its lease wakes and changes nothing', async () => {
  const bus = createInProcessBus();
  const pool = database.pool('projector', 8);
  const asleep = { until: null as Promise<void> | null };
  // Stops each worker where it hurts most: events folded, transaction not yet begun.
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => Promise<pg.PoolClient>;
  pool.connect = ((...args: unknown[]) =>
    args.length === 0 && asleep.until
      ? asleep.until.then(() => connect())
      : connect(...args)) as typeof pool.connect;
  const sleeper = await start({ bus, pool });
  await reached(await play(5));
  let wake = () => {};
  asleep.until = new Promise((resolve) => {
    wake = resolve;
  });
  const head = await play(50);
  const owner = database.pool('owner');
  await vi.waitFor(() => expect(pool.idleCount).toBe(pool.totalCount), WAIT);
  await owner.query("update checkpoints set lease_until = now() - interval '1 s'");
  const next = await start({ bus });
  await reached(head);
  wake();
  asleep.until = null;
  await vi.waitFor(() => {
    for (const status of sleeper.status()) expect(status.state).toBe('standby');
  }, WAIT);
  for (const status of next.status()) expect(status.state).toBe('working');
  await reached(await play(5));
  await expectReplaysEqual();
});

test('connections cut by Postgres are an outage, not poison', async () => {
  const bus = createInProcessBus();
  await publishing(bus);
  const pool = openPool({ url: database.url, role: 'projector', max: 8, name: 'cut' });
  closers.push(() => pool.end());
  const projector = await start({ bus, pool });
  for (let i = 0; i < 5; i++) {
    await play(5);
    await database
      .pool('owner')
      .query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
        'reelbook-cut',
      ]);
  }
  await reached(await play(5));
  for (const status of projector.status()) expect(status.state).toBe('working');
  await expectReplaysEqual();
});
