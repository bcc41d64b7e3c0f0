import {
  firstsIn,
  silentLog as log,
  message,
  range,
  takeTo,
  textsIn,
  textsOf,
} from '@reelbook/testing/messages';
import { natsAvailable, startNats, type TestNats } from '@reelbook/testing/nats';
import { WAIT } from '@reelbook/testing/wait';
import { layWire } from '@reelbook/testing/wire';
import { connect, type NatsConnection } from 'nats';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BATCH_MAX_BYTES, type Batch, type Bus, OutOfOrder, packBatches } from './bus.ts';
import { connectNats } from './nats.ts';
import { STREAM, SUBJECT } from './nats-stream.ts';

describe.runIf(natsAvailable())('NATS and its outages', () => {
  let server: TestNats;
  let bus: Bus;
  beforeEach(async () => {
    server = await startNats();
    bus = await connectNats({ url: server.url, log });
    await bus.lastStored();
  });
  afterEach(async () => {
    await bus.close();
    await server.stop();
  });

  /** What another client with its own connection may do. */
  async function another<T>(action: (connection: NatsConnection) => Promise<T>): Promise<T> {
    const connection = await connect({ servers: server.url.replace('nats://', '') });
    try {
      return await action(connection);
    } finally {
      await connection.close();
    }
  }

  const put = (...payloads: readonly (Buffer | string)[]) =>
    another(async (connection) => {
      for (const payload of payloads) await connection.jetstream().publish(SUBJECT, payload);
    });

  test('a command too large for a message travels as its position', async () => {
    const large = { ...message(1), bodies: ['x'.repeat(BATCH_MAX_BYTES), '{}'] };
    await bus.publish([large, message(3)]);
    const taken = await takeTo(bus, 1, 4);
    expect(firstsIn(taken)).toEqual([1, 3]);
    expect(textsIn(taken)).toEqual(textsOf([message(3)]));
  });

  test('each epoch has a stream of its own, and a later one leaves the earlier as it is', async () => {
    await bus.publish(range(1, 3));
    const next = await connectNats({ url: server.url, log, epoch: 2 });
    expect(await next.lastStored()).toBeNull();
    const seen: number[] = [];
    const watched = [
      await bus.watch(() => seen.push(0) < 0),
      await next.watch((batch) => {
        seen.push(...firstsIn([batch]));
        return true;
      }),
    ];
    await next.publish([message(3)]);
    expect(firstsIn(await takeTo(next, 1, 4))).toEqual([3]);
    await vi.waitFor(() => expect(seen).toEqual([3]), WAIT);
    expect(await bus.lastStored()).toMatchObject({ position: 6 });
    const streams = await another(async (raw) =>
      (await (await raw.jetstreamManager()).streams.list().next()).map(({ config }) => config.name),
    );
    expect(streams.sort()).toEqual([STREAM, `${STREAM}-2`]);
    for (const one of watched) one.close();
    await next.close();
  });

  test('a foreign message in between makes a publish fail', async () => {
    await bus.publish([message(1)]);
    await put(packBatches([message(3)])[0]?.payload ?? '');
    await expect(bus.publish(range(3, 3))).rejects.toThrow(OutOfOrder);
    expect(await bus.lastStored()).toMatchObject({ position: 4 });
    await bus.publish(range(5, 2));
    expect(firstsIn(await takeTo(bus, 1, 8))).toEqual([1, 3, 5, 7]);
  });

  test('invalid messages are counted by consumer and watcher, and delay no batch', async () => {
    await bus.publish([message(1)]);
    const other = await connectNats({ url: server.url, log });
    const received: Batch[] = [];
    await other.watch((batch) => received.push(batch) > 0);
    const odd = ['', 'nonsense', '{}\n', 'null\n', Buffer.alloc(100_000)];
    await put(...odd);
    await another(async (connection) => {
      // More than the stream accepts: only watchers see it.
      connection.publish(SUBJECT, Buffer.alloc(2 * BATCH_MAX_BYTES));
      await connection.flush();
    });
    await expect(bus.publish([message(3)])).rejects.toThrow(OutOfOrder);
    expect(await bus.lastStored()).toMatchObject({ position: 2 });
    await bus.publish(range(3, 2));
    expect(firstsIn(await takeTo(bus, 1, 6))).toEqual([1, 3, 5]);
    // A consumer that was slow is started again, and gets some of them twice.
    expect(bus.dropped()).toBeGreaterThanOrEqual(odd.length);
    // 3 twice: a watcher also sees what the stream did not accept.
    await vi.waitFor(() => expect(firstsIn(received)).toEqual([3, 3, 5]), WAIT);
    expect(other.dropped()).toBe(odd.length + 1);
    expect(firstsIn(await takeTo(other, 5, 6))).toContain(5);
    await other.close();
  });

  test('a forged batch of high positions hides no batch after it', async () => {
    await bus.publish([message(1)]);
    await put(packBatches([message(1_000_001)])[0]?.payload ?? '');
    const enough = new AbortController();
    const taken: Batch[] = [];
    const consuming = bus.consume({
      name: 'test',
      from: 1,
      signal: enough.signal,
      onBatch(batch) {
        if (batch.firstPosition > 1_000) return false;
        taken.push(batch);
        if (batch.lastPosition === 4) enough.abort();
        return true;
      },
    });
    await vi.waitFor(() => expect(bus.dropped()).toBe(1), WAIT);
    await put(packBatches([message(3)])[0]?.payload ?? '');
    await consuming;
    expect(firstsIn(taken)).toEqual([1, 3]);
  });

  test('the stream is limited in bytes, and accepts no message above its size', async () => {
    const { config } = await another(async (connection) =>
      (await connection.jetstreamManager()).streams.info(STREAM),
    );
    expect(config).toMatchObject({ max_bytes: 1024 ** 3, max_msg_size: BATCH_MAX_BYTES });
    await expect(put(Buffer.alloc(BATCH_MAX_BYTES + 1))).rejects.toThrow('maximum');
  });

  test('messages are named by position and hash', async () => {
    await bus.publish(range(1, 2));
    const { header } = await another(async (connection) =>
      (await connection.jetstreamManager()).streams.getMessage(STREAM, { seq: 1 }),
    );
    expect(header.get('Nats-Msg-Id')).toBe('1-0000000000000000');
    expect(header.keys()).toHaveLength(3);
  });

  test('a connection that the network lost is replaced by a new one', async () => {
    const wire = await layWire(server.url);
    const far = await connectNats({ url: wire.url, log });
    await far.lastStored();
    await far.publish([message(1)]);
    wire.silence();
    await expect(far.publish([message(3)])).rejects.toThrow();
    await vi.waitFor(() => expect(far.healthy()).toBe(false), WAIT);
    const back = new Promise<void>((resolve) => far.onReconnect(resolve));
    await wire.restore();
    await back;
    const stored = await far.lastStored();
    await far.publish([message((stored?.position ?? 0) + 1)]);
    await far.close();
    await wire.cut();
  });

  test('two parallel publishers leave no gap', async () => {
    const goal = 8_000;
    const other = await connectNats({ url: server.url, log });
    const race = async (racer: Bus) => {
      for (;;) {
        const stored = await racer.lastStored().catch(() => null);
        const next = (stored?.position ?? 0) + 1;
        if (next > goal) return;
        await racer.publish(range(next, 100)).catch(() => {});
      }
    };
    await Promise.all([race(bus), race(other)]);
    const firsts = firstsIn(await takeTo(bus, 1, goal));
    expect(firsts).toEqual(range(1, firsts.length).map(({ firstPosition }) => firstPosition));
    await other.close();
  });

  test('consumers, watchers and publishers continue after a killed server is back', async () => {
    if (!server.process) return;
    const received: number[] = [];
    await bus.watch((batch) => received.push(...firstsIn([batch])) > 0);
    await bus.publish([message(1)]);
    const taken: Batch[] = [];
    const enough = new AbortController();
    const onBatch = (batch: Batch) => {
      taken.push(batch);
      if (batch.lastPosition === 6) enough.abort();
      return true;
    };
    const consuming = bus.consume({ name: 'test', from: 1, onBatch, signal: enough.signal });
    await vi.waitFor(() => expect(taken).toHaveLength(1), WAIT);
    const back = new Promise<void>((resolve) => bus.onReconnect(resolve));
    await server.process.kill();
    await vi.waitFor(() => expect(bus.healthy()).toBe(false), WAIT);
    await expect(bus.publish([message(3)])).rejects.toThrow();
    await server.process.start();
    await back;
    expect(bus.healthy()).toBe(true);
    await vi.waitFor(
      async () => expect(await bus.lastStored()).toMatchObject({ position: 2 }),
      WAIT,
    );
    await bus.publish(range(3, 2));
    await consuming;
    expect(textsIn(taken)).toEqual(textsOf(range(1, 3)));
    await vi.waitFor(() => expect(received).toEqual([1, 3, 5]), WAIT);
  });

  test("a deleted stream restarts at the publisher's position", async () => {
    await bus.publish(range(1, 3));
    const seen: number[] = [];
    const enough = new AbortController();
    const onBatch = (batch: Batch) => {
      seen.push(...firstsIn([batch]));
      if (batch.lastPosition === 10) enough.abort();
      return true;
    };
    const consuming = bus.consume({ name: 'test', from: 1, onBatch, signal: enough.signal });
    await vi.waitFor(() => expect(seen).toEqual([1, 3, 5]), WAIT);
    await another(async (raw) => (await raw.jetstreamManager()).streams.delete(STREAM));
    await expect(bus.publish([message(7)])).rejects.toThrow(OutOfOrder);
    expect(await bus.lastStored()).toBeNull();
    await bus.publish(range(7, 2));
    await consuming;
    expect(seen).toEqual([1, 3, 5, 7, 9]);
  });

  test('a purged stream accepts messages again', async () => {
    await bus.publish(range(1, 3));
    await another(async (raw) => (await raw.jetstreamManager()).streams.purge(STREAM));
    expect(await bus.lastStored()).toBeNull();
    await vi.waitFor(async () => {
      await bus.lastStored();
      await bus.publish([message(5)]);
    }, WAIT);
    expect(await bus.lastStored()).toMatchObject({ position: 6 });
  });

  test('a bus may be opened before its server runs', async () => {
    if (!server.process) return;
    await server.process.kill();
    const early = await connectNats({ url: server.url, log });
    expect(early.healthy()).toBe(false);
    await expect(early.publish([message(1)])).rejects.toThrow('no connection');
    const taking = takeTo(early, 1, 2);
    await server.process.start();
    await vi.waitFor(() => expect(early.healthy()).toBe(true), WAIT);
    await early.lastStored();
    await early.publish([message(1)]);
    expect(textsIn(await taking)).toEqual(textsOf([message(1)]));
    await early.close();
  });
});
