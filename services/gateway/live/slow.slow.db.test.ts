import type { BetResult } from '@reelbook/contract/player/games';
import { sendHostile } from '@reelbook/simulator/client/hostile';
import { openSocket, startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const SOCKETS_PER_ADDRESS = 16;
const HEARTBEAT_MS = 10_000;

let site: TestSite;
beforeAll(async () => {
  const live = { heartbeatMs: HEARTBEAT_MS, socketsPerAddress: SOCKETS_PER_ADDRESS };
  site = await startSite({ live });
});
afterAll(() => site.close());

test('hostile connections of each kind end; a player among them misses nothing', async () => {
  const player = await site.login();
  const socket = await openSocket(site.url, player.token);
  await socket.receive('subscribed');
  const stop = new AbortController();
  const hostile = sendHostile(site.url, player.token, stop.signal);
  const results: BetResult[] = [];
  await vi.waitFor(async () => {
    const { status, data } = await player.call<BetResult>('/game/slot-machine/bet', {
      body: { bet_amount: 1 },
    });
    expect(status).toBe(200);
    results.push(data);
    const open = [...hostile.closed].filter(([, count]) => count === 0);
    expect(open).toEqual([]);
  }, WAIT);
  stop.abort();
  await hostile.done;
  const last = results.at(-1)?.stream_version;
  await socket.receive('balance_updated', (data) => data.stream_version === last);
  const received = socket.messages.filter(({ type }) => type === 'game_result');
  expect(received.map(({ data }) => data)).toEqual(results);
  socket.close();
  await socket.closed;
});

test('one address has a limited number of sockets', async () => {
  const player = await site.login();
  await vi.waitFor(async () => {
    const first = await openSocket(site.url, player.token);
    await Promise.race([first.receive('subscribed'), first.closed]);
    first.close();
    expect(await first.closed).not.toBe(4429);
  }, WAIT);
  const players = [player, await site.login()];
  const sockets = [];
  for (let i = 0; i < SOCKETS_PER_ADDRESS; i++) {
    const socket = await openSocket(site.url, players[i % 2]?.token ?? '');
    await socket.receive('subscribed');
    sockets.push(socket);
  }
  const more = await openSocket(site.url, player.token);
  expect(await more.closed).toBe(4429);
  for (const socket of sockets) socket.close();
});
