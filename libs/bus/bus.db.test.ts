import { hashOf, silentLog as log, message, range, take } from '@reelbook/testing/messages';
import { natsAvailable, startNats, type TestNats } from '@reelbook/testing/nats';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Bus, type CommandMessage, OutOfOrder } from './bus.ts';
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
    'LEFT OUT: the bus over NATS JetStream. Put nats-server on the PATH or set NATS_URL.',
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

  test('hands over what was published, in order, from any position on', async () => {
    await bus.publish(range(1, 3));
    await bus.publish([message(7), message(9)]);
    expect(await bus.lastStored()).toEqual({ position: 10, hash: hashOf(10) });
    expect(await take(bus, 1, 5)).toEqual(range(1, 5));
    // Position 4 is the second event of the command at 3.
    expect(await take(bus, 4, 2)).toEqual(range(3, 2));
  });

  test('many messages are pipelined and stay in order', async () => {
    const many = range(1, 1_700);
    await bus.publish(many);
    const taken = await take(bus, 1, many.length);
    expect(taken.map((one) => one.firstPosition)).toEqual(many.map((one) => one.firstPosition));
  });

  test('hands over what comes later', async () => {
    const taking = take(bus, 1, 2);
    await bus.publish([message(1)]);
    await bus.publish([message(3)]);
    expect(await taking).toEqual(range(1, 2));
  });

  test('what is there already, or would leave a hole, is out of order and not stored', async () => {
    await bus.publish(range(1, 2));
    await expect(bus.publish([message(3)])).rejects.toThrow(OutOfOrder);
    await bus.lastStored();
    await expect(bus.publish([message(7)])).rejects.toThrow(OutOfOrder);
    expect(await bus.lastStored()).toMatchObject({ position: 4 });
    await bus.publish([message(5)]);
    expect((await take(bus, 1, 3)).map((one) => one.firstPosition)).toEqual([1, 3, 5]);
  });

  test('a publisher that was overtaken stores nothing and can go on from the end', async () => {
    const stale = await open();
    await bus.publish([message(1)]);
    await stale.lastStored();
    await bus.publish([message(3)]);
    await expect(stale.publish([message(3)])).rejects.toThrow(OutOfOrder);
    expect(await stale.lastStored()).toMatchObject({ position: 4 });
    await stale.publish([message(5)]);
    await expect(bus.publish([message(5)])).rejects.toThrow(OutOfOrder);
    expect((await take(bus, 1, 3)).map((one) => one.firstPosition)).toEqual([1, 3, 5]);
  });

  test('a stream may begin anywhere, and its consumer hears of what is missing', async () => {
    await bus.publish([message(101)]);
    const onGap = vi.fn();
    const enough = new AbortController();
    const onMessage = vi.fn(() => enough.abort());
    await bus.consume({ name: 'test', from: 1, onGap, onMessage, signal: enough.signal });
    expect(onGap).toHaveBeenCalledOnce();
    expect(onMessage).toHaveBeenCalledWith(message(101));
  });

  test('an error of the consumer ends its consuming', async () => {
    await bus.publish([message(1)]);
    const consuming = bus.consume({
      name: 'test',
      from: 1,
      onMessage: () => Promise.reject(new Error('cannot')),
      signal: new AbortController().signal,
    });
    await expect(consuming).rejects.toThrow('cannot');
  });

  test('a watcher hears of its own stream only, and of nothing once closed', async () => {
    const heard: CommandMessage[] = [];
    const both = await open();
    const onMessage = (one: CommandMessage) => void heard.push(one);
    const watched = await both.watch({ kind: 'player', id: 'bert', onMessage });
    await bus.publish([message(1, 'anna'), message(3, 'bert'), message(5, 'anna')]);
    await vi.waitFor(() => expect(heard).toEqual([message(3, 'bert')]), WAIT);
    watched.close();
    await bus.publish([message(7, 'bert'), message(9, 'carl')]);
    expect(await take(bus, 9, 1)).toHaveLength(1);
    expect(heard).toHaveLength(1);
  });

  test('nudges reach everyone, many as one', async () => {
    const other = await open();
    const nudged = vi.fn();
    const listening = other.onNudge(nudged);
    await (await other.watch({ kind: 'player', id: 'x', onMessage() {} })).close();
    for (let i = 0; i < 100; i++) bus.nudge();
    await vi.waitFor(() => expect(nudged).toHaveBeenCalled(), WAIT);
    expect(nudged.mock.calls.length).toBeLessThan(10);
    listening.close();
  });

  test('a message that is not whole is refused', async () => {
    const torn = { ...message(1), hashes: [hashOf(1)] };
    await expect(bus.publish([torn])).rejects.toThrow('not whole');
  });

  test('closing ends the consumers', async () => {
    const mine = await open();
    const consuming = take(mine, 1, 1);
    await mine.close();
    await consuming;
    expect(mine.healthy()).toBe(false);
    if (twin.name === 'in-process') await twin.start();
  });
});

test('the in-process bus keeps the newest messages and leaves a gap before them', async () => {
  const bus = createInProcessBus({ messagesKept: 10 });
  await bus.publish(range(1, 100));
  const onGap = vi.fn();
  const enough = new AbortController();
  const first: number[] = [];
  const onMessage = (one: CommandMessage) => {
    first.push(one.firstPosition);
    if (one.lastPosition === 200) enough.abort();
  };
  await bus.consume({ name: 'test', from: 1, onGap, onMessage, signal: enough.signal });
  expect(onGap).toHaveBeenCalledOnce();
  expect(first).toEqual([181, 183, 185, 187, 189, 191, 193, 195, 197, 199]);
});
