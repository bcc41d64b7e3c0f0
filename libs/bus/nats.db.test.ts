import { silentLog as log, message, range, take, takeUntil } from '@reelbook/testing/messages';
import { natsAvailable, startNats, type TestNats } from '@reelbook/testing/nats';
import { WAIT } from '@reelbook/testing/wait';
import { layWire } from '@reelbook/testing/wire';
import { connect, headers } from 'nats';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Bus, type CommandMessage, OutOfOrder } from './bus.ts';
import { encodeMessage, PAYLOAD_MAX_BYTES, subjectOf } from './message.ts';
import { connectNats } from './nats.ts';
import { STREAM } from './nats-stream.ts';

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

  test('a command too large for a message travels without its bodies', async () => {
    const large = { ...message(1), bodies: ['x'.repeat(PAYLOAD_MAX_BYTES), '{}'] };
    await bus.publish([large]);
    expect(await take(bus, 1, 1)).toEqual([{ ...large, bodies: [] }]);
  });

  test('what another has put in between makes a publish fail, however the others were named', async () => {
    await bus.publish([message(1)]);
    const raw = await connect({ servers: server.url.replace('nats://', '') });
    const other = encodeMessage(message(3));
    const head = headers();
    for (const [name, value] of other.headers) head.set(name, value);
    await raw.jetstream().publish(subjectOf(message(3)), other.payload, { headers: head });
    await raw.close();
    await expect(bus.publish(range(3, 3))).rejects.toThrow(OutOfOrder);
    expect(await bus.lastStored()).toMatchObject({ position: 4 });
    await bus.publish(range(5, 2));
    expect(await take(bus, 1, 4)).toEqual(range(1, 4));
  });

  test('a connection that the network swallowed is given up, and a new one takes its place', async () => {
    const wire = await layWire(server.url);
    const far = await connectNats({ url: wire.url, log });
    await far.lastStored();
    await far.publish([message(1)]);
    wire.silence();
    await expect(far.publish([message(3)])).rejects.toThrow();
    await vi.waitFor(() => expect(far.healthy()).toBe(false), WAIT);
    const back = new Promise<void>((resolve) => far.onReconnect(resolve));
    await wire.mend();
    await back;
    const stored = await far.lastStored();
    await far.publish([message((stored?.position ?? 0) + 1)]);
    await far.close();
    await wire.cut();
  });

  test('two that publish at the same time leave no hole', async () => {
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
    const taken = await takeUntil(bus, 1, (one) => one.lastPosition >= goal);
    const all = range(1, taken.length);
    expect(taken.map((one) => one.firstPosition)).toEqual(all.map((one) => one.firstPosition));
    await other.close();
  });

  test('a server that is killed and comes back: consumers, watchers and publishers go on', async () => {
    if (!server.process) return;
    const heard: number[] = [];
    const watching = { kind: 'player', id: 'anna' };
    await bus.watch({ ...watching, onMessage: (one) => void heard.push(one.firstPosition) });
    await bus.publish([message(1)]);
    const taken: CommandMessage[] = [];
    const enough = new AbortController();
    const onMessage = (one: CommandMessage) => {
      taken.push(one);
      if (taken.length === 3) enough.abort();
    };
    const consuming = bus.consume({ name: 'test', from: 1, onMessage, signal: enough.signal });
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
    expect(taken).toEqual(range(1, 3));
    await vi.waitFor(() => expect(heard).toEqual([1, 3, 5]), WAIT);
  });

  test('a stream deleted under everyone begins anew where the publisher stands', async () => {
    await bus.publish(range(1, 3));
    const seen: number[] = [];
    const enough = new AbortController();
    const onMessage = (one: CommandMessage) => {
      seen.push(one.firstPosition);
      if (one.firstPosition === 9) enough.abort();
    };
    const consuming = bus.consume({ name: 'test', from: 1, onMessage, signal: enough.signal });
    await vi.waitFor(() => expect(seen).toEqual([1, 3, 5]), WAIT);
    const raw = await connect({ servers: server.url.replace('nats://', '') });
    await (await raw.jetstreamManager()).streams.delete(STREAM);
    await raw.close();
    await expect(bus.publish([message(7)])).rejects.toThrow(OutOfOrder);
    expect(await bus.lastStored()).toBeNull();
    await bus.publish(range(7, 2));
    await consuming;
    expect(seen).toEqual([1, 3, 5, 7, 9]);
  });

  test('a purged stream takes messages again at once or after a moment', async () => {
    await bus.publish(range(1, 3));
    const raw = await connect({ servers: server.url.replace('nats://', '') });
    await (await raw.jetstreamManager()).streams.purge(STREAM);
    await raw.close();
    expect(await bus.lastStored()).toBeNull();
    await vi.waitFor(async () => {
      await bus.lastStored();
      await bus.publish([message(5)]);
    }, WAIT);
    expect(await bus.lastStored()).toMatchObject({ position: 6 });
  });

  test('a bus may be opened before its server is there', async () => {
    if (!server.process) return;
    await server.process.kill();
    const early = await connectNats({ url: server.url, log });
    expect(early.healthy()).toBe(false);
    await expect(early.publish([message(1)])).rejects.toThrow('no connection');
    const taking = take(early, 1, 1);
    await server.process.start();
    await vi.waitFor(() => expect(early.healthy()).toBe(true), WAIT);
    await early.lastStored();
    await early.publish([message(1)]);
    expect(await taking).toEqual([message(1)]);
    await early.close();
  });
});
