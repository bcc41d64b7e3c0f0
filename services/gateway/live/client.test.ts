import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { closeCodes } from '@reelbook/contract/socket';
import { WAIT } from '@reelbook/testing/wait';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openGatewayMetrics } from '../metrics.ts';
import { type Client, openClient, openUnsent, type Unsent } from './client.ts';

const MEMORY_MAX_BYTES = 1024 * 1024;

let server: WebSocketServer;
let metrics: Pick<ReturnType<typeof openGatewayMetrics>, 'closed'>;
let unsent: Unsent;
const peers: WebSocket[] = [];

beforeEach(async () => {
  server = new WebSocketServer({ host: '127.0.0.1', port: 0, autoPong: false });
  await once(server, 'listening');
  metrics = openGatewayMetrics(null as never, { dropped: () => 0 });
  unsent = openUnsent(MEMORY_MAX_BYTES);
});
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.terminate();
  server.close();
  await once(server, 'close');
});

/** A peer of ours and the client of the server. `autoPong: false`: it responds to no ping. */
async function connect(o: { autoPong?: boolean } = {}): Promise<[WebSocket, Client]> {
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const peer = new WebSocket(`ws://127.0.0.1:${port}`, o);
  peer.on('error', () => {});
  peers.push(peer);
  await once(peer, 'open');
  const [socket] = await accepted;
  return [peer, openClient({ socket, token: null, metrics, unsent })];
}

async function connectMany(count: number): Promise<(readonly [WebSocket, Client])[]> {
  const connected = [];
  for (let i = 0; i < count; i++) connected.push(await connect());
  return connected;
}

async function closedBecause(): Promise<Record<string, number>> {
  const { values } = await metrics.closed.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]));
}

/** Resolves when the server has read all messages that the peer sent before. */
async function flush(peer: WebSocket): Promise<void> {
  const pong = once(peer, 'message');
  peer.send(JSON.stringify({ type: 'ping' }));
  await pong;
}

test('only the response to the last ping keeps a socket open', async () => {
  const [reader, healthy] = await connect();
  const [sender, deaf] = await connect({ autoPong: false });
  healthy.heartbeat();
  deaf.heartbeat();
  const ping = once(reader, 'ping');
  for (const text of ['', '1', 'x'.repeat(8)]) sender.pong(text);
  await flush(sender);
  await Promise.all([ping, flush(reader)]);
  healthy.heartbeat();
  deaf.heartbeat();
  expect([healthy.ended(), deaf.ended()]).toEqual([false, true]);
  expect(await closedBecause()).toEqual({ unanswered: 1 });
  // The bytes of an earlier ping do not count again.
  const [old] = (await once(reader, 'ping')) as [Buffer];
  await flush(reader);
  healthy.heartbeat();
  const [next] = (await once(reader, 'ping')) as [Buffer];
  expect(next).not.toEqual(old);
});

test.each(['ping', 'pong'] as const)('a flood of %s frames closes its socket', async (frame) => {
  const [peer, client] = await connect();
  const closed = once(peer, 'close');
  // More than the limit also where they fall into several windows.
  for (let i = 0; i < 300; i++) peer[frame]('x');
  expect((await closed)[0]).toBe(closeCodes.tooMany);
  expect(client.ended()).toBe(true);
});

test('above the memory of all sockets, those with the most unsent bytes are closed and no reader', async () => {
  const slow = await connectMany(40);
  const readers = await connectMany(5);
  for (const [peer] of slow) peer.pause();
  const received = readers.map(([peer]) => {
    const texts: string[] = [];
    peer.on('message', (data) => texts.push(String(data)));
    return texts;
  });
  const sent: string[] = [];
  let most = 0;
  while (slow.some(([, client]) => !client.ended())) {
    const text = `${sent.length} ${'x'.repeat(16_000)}`;
    sent.push(text);
    for (const [, client] of [...slow, ...readers]) client.send(text);
    await vi.waitFor(
      () => expect(received.every((texts) => texts.length === sent.length)).toBe(true),
      {
        ...WAIT,
        interval: 1,
      },
    );
    // Independent of the running total. Terminated sockets have left by now.
    const queued = [...server.clients].reduce((sum, one) => sum + one.bufferedAmount, 0);
    most = Math.max(most, queued);
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(MEMORY_MAX_BYTES);
  expect((await closedBecause()).memory).toBeGreaterThan(0);
  for (const texts of received) expect(texts).toEqual(sent);
  expect(readers.every(([, client]) => !client.ended())).toBe(true);
});
