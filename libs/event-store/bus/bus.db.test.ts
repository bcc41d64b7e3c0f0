import {
  firstsIn,
  hashOf,
  silentLog as log,
  message,
  range,
  takeTo,
  textsIn,
  textsOf,
} from '@reelbook/testing/messages';
import { natsAvailable, startNats, type TestNats } from '@reelbook/testing/nats';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Batch, type Bus, COMMANDS_PER_BATCH_MAX, OutOfOrder, packBatches } from './bus.ts';
import { createInProcessBus } from './in-process.ts';
import { connectNats } from './nats.ts';

interface Twin {
  readonly name: string;
  start(): Promise<void>;
  /** Another process's handle on the same bus. */
  open(): Promise<Bus>;
  stop(): Promise<void>;
}

function inProcessTwin(): Twin {
  let shared = createInProcessBus();
  return {
    name: 'in-process',
    async start() {
      shared = createInProcessBus();
    },
    open: async () => shared,
    stop: async () => {},
  };
}

function natsTwin(): Twin {
  let server: TestNats;
  return {
    name: 'NATS JetStream',
    async start() {
      server = await startNats();
    },
    open: () => connectNats({ url: server.url, log }),
    stop: () => server.stop(),
  };
}

const hasNats = natsAvailable();
if (!hasNats) {
  console.warn(
    'SKIPPED: the bus over NATS JetStream. Put nats-server on the PATH or set NATS_URL.',
  );
}
const twins = hasNats ? [inProcessTwin(), natsTwin()] : [inProcessTwin()];

describe.each(twins)('the bus $name', (twin) => {
  let bus: Bus;
  const opened: Bus[] = [];

  const open = async () => {
    const handle = await twin.open();
    opened.push(handle);
    return handle;
  };

  beforeAll(() => twin.start());
  beforeEach(async () => {
    bus = await open();
    await bus.reset();
    expect(await bus.lastStored()).toBeNull();
  });
  afterEach(async () => {
    if (twin.name === 'in-process') return;
    await Promise.all(opened.splice(0).map((handle) => handle.close()));
  });
  afterAll(() => twin.stop());

  test('delivers what was published, in order, from any position', async () => {
    await bus.publish(range(1, 3));
    await bus.publish([message(7), message(9)]);
    expect(await bus.lastStored()).toEqual({ position: 10, hash: hashOf(10) });
    const all = await takeTo(bus, 1, 10);
    expect(textsIn(all)).toEqual(textsOf(range(1, 5)));
    expect(all.map(({ commands }) => commands.length)).toEqual([3, 2]);
    // Position 4 is in the middle of the first batch, which comes complete.
    expect(await takeTo(bus, 4, 10)).toHaveLength(2);
    expect(textsIn(await takeTo(bus, 7, 10))).toEqual(textsOf(range(7, 2)));
  });

  test('many commands are few messages, pipelined and in order', async () => {
    const many = range(1, 40 * COMMANDS_PER_BATCH_MAX);
    await bus.publish(many);
    const taken = await takeTo(bus, 1, 2 * many.length);
    expect(taken).toHaveLength(40);
    expect(firstsIn(taken)).toEqual(many.map(({ firstPosition }) => firstPosition));
  });

  test('delivers what is published later', async () => {
    const taking = takeTo(bus, 1, 4);
    await bus.publish([message(1)]);
    await bus.publish([message(3)]);
    expect(textsIn(await taking)).toEqual(textsOf(range(1, 2)));
  });

  test('a command that is stored already, or would leave a gap, is out of order and not stored', async () => {
    await bus.publish(range(1, 2));
    await expect(bus.publish([message(3)])).rejects.toThrow(OutOfOrder);
    await bus.lastStored();
    await expect(bus.publish([message(7)])).rejects.toThrow(OutOfOrder);
    expect(await bus.lastStored()).toMatchObject({ position: 4 });
    await bus.publish([message(5)]);
    expect(firstsIn(await takeTo(bus, 1, 6))).toEqual([1, 3, 5]);
  });

  test('a publisher that was overtaken stores nothing and can continue from the end', async () => {
    const stale = await open();
    await bus.publish([message(1)]);
    await stale.lastStored();
    await bus.publish([message(3)]);
    await expect(stale.publish([message(3)])).rejects.toThrow(OutOfOrder);
    expect(await stale.lastStored()).toMatchObject({ position: 4 });
    await stale.publish([message(5)]);
    await expect(bus.publish([message(5)])).rejects.toThrow(OutOfOrder);
    expect(firstsIn(await takeTo(bus, 1, 6))).toEqual([1, 3, 5]);
  });

  test('a stream may begin anywhere, and its consumer is notified of the gap', async () => {
    await bus.publish([message(101)]);
    const onGap = vi.fn();
    const enough = new AbortController();
    const onBatch = vi.fn((_batch: Batch) => {
      enough.abort();
      return true;
    });
    await bus.consume({ name: 'test', from: 1, onGap, onBatch, signal: enough.signal });
    expect(onGap).toHaveBeenCalledOnce();
    expect(firstsIn(onBatch.mock.calls.map(([batch]) => batch))).toEqual([101]);
  });

  test('an error of the consumer ends its consuming', async () => {
    await bus.publish([message(1)]);
    const consuming = bus.consume({
      name: 'test',
      from: 1,
      onBatch: () => Promise.reject(new Error('cannot')),
      signal: new AbortController().signal,
    });
    await expect(consuming).rejects.toThrow('cannot');
  });

  test('a batch that a consumer refuses is counted, and its positions are accepted from a true batch', async () => {
    const consumer = await open();
    const before = consumer.dropped();
    const enough = new AbortController();
    const taken: Batch[] = [];
    const onBatch = (batch: Batch) => {
      if (batch.commands[0]?.stream === 'player-forged') return false;
      taken.push(batch);
      enough.abort();
      return true;
    };
    const consuming = consumer.consume({ name: 'test', from: 1, onBatch, signal: enough.signal });
    await bus.publish([message(1, 'forged'), message(3, 'forged')]);
    await vi.waitFor(() => expect(consumer.dropped()).toBe(before + 1), WAIT);
    await bus.reset();
    await bus.lastStored();
    await bus.publish([message(1, 'anna')]);
    await consuming;
    expect(firstsIn(taken)).toEqual([1]);
  });

  test('a watcher receives every batch, and nothing once closed', async () => {
    const received: Batch[] = [];
    const other = await open();
    const watched = await other.watch((batch) => received.push(batch) > 0);
    await bus.publish([message(1, 'anna'), message(3, 'bert')]);
    await bus.publish([message(5, 'carl')]);
    await vi.waitFor(() => expect(firstsIn(received)).toEqual([1, 3, 5]), WAIT);
    expect(received[0]?.commands.map(({ stream }) => stream)).toEqual([
      'player-anna',
      'player-bert',
    ]);
    watched.close();
    await bus.publish([message(7, 'bert')]);
    expect(await takeTo(bus, 7, 8)).toHaveLength(1);
    expect(received).toHaveLength(2);
  });

  test('nudges reach every listener, coalesced', async () => {
    const other = await open();
    const nudged = vi.fn();
    const listening = other.onNudge(nudged);
    (await other.watch(() => true)).close();
    for (let i = 0; i < 100; i++) bus.nudge();
    await vi.waitFor(() => expect(nudged).toHaveBeenCalled(), WAIT);
    expect(nudged.mock.calls.length).toBeLessThan(10);
    listening.close();
  });

  test('a command that is incomplete is refused', async () => {
    await expect(bus.publish([{ ...message(1), hash: '' }])).rejects.toThrow('incomplete');
  });

  test('closing ends the consumers', async () => {
    const mine = await open();
    const consuming = takeTo(mine, 1, 2);
    await mine.close();
    await consuming;
    expect(mine.healthy()).toBe(false);
    if (twin.name === 'in-process') await twin.start();
  });
});

test('the in-process bus keeps the newest batches and leaves a gap before them', async () => {
  const length = packBatches([message(1_001)])[0]?.payload.length ?? 0;
  const bus = createInProcessBus({ bytesKept: 10 * length });
  for (const command of range(1_001, 100)) await bus.publish([command]);
  const onGap = vi.fn();
  const enough = new AbortController();
  const taken: Batch[] = [];
  const onBatch = (batch: Batch) => {
    taken.push(batch);
    if (batch.lastPosition === 1_200) enough.abort();
    return true;
  };
  await bus.consume({ name: 'test', from: 1, onGap, onBatch, signal: enough.signal });
  expect(onGap).toHaveBeenCalledOnce();
  expect(taken.length).toBeGreaterThanOrEqual(10);
  expect(taken.length).toBeLessThanOrEqual(20);
  expect(firstsIn(taken)).toEqual(
    range(1_201 - 2 * taken.length, taken.length).map(({ firstPosition }) => firstPosition),
  );
});
