import type { BetResult } from '@reelbook/contract/player/games';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
  type TestSocket,
} from '@reelbook/simulator/stages/site';
import { WAIT } from '@reelbook/testing/wait';
import { TEST_ORIGIN } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const bet = async (player: TestPlayer, amount = 1) =>
  (await player.call<BetResult>('/game/slot-machine/bet', { body: { bet_amount: amount } })).data;

test('a subscription gets the current balances, then every result once and in order', async () => {
  const player = await site.login();
  const sockets = [
    await openSocket(site.url, player.token),
    await openSocket((await site.addGateway()).url, player.token),
  ];
  for (const socket of sockets) {
    expect(await socket.receive('subscribed')).toMatchObject({ points_balance: 1_000 });
  }
  const results = await Promise.all(Array.from({ length: 60 }, () => bet(player)));
  const inOrder = results.sort((a, b) => a.stream_version - b.stream_version);
  const last = inOrder.at(-1)?.stream_version;
  for (const socket of sockets) {
    await socket.receive('balance_updated', (data) => data.stream_version === last);
    const received = (type: string) =>
      socket.messages.filter((message) => message.type === type).map(({ data }) => data);
    expect(received('game_result')).toEqual(inOrder);
    expect(received('balance_updated')).toEqual(
      inOrder.map(({ balance, token_balance, points_balance, stream_version, position }) => ({
        balance,
        token_balance,
        points_balance,
        stream_version,
        position,
      })),
    );
    socket.close();
  }
});

test('a subscription after play starts at the current state, in both forms of the message', async () => {
  const player = await site.login();
  const first = await bet(player);
  const socket = await openSocket(site.url, player.token, { subscribe: false });
  socket.send({ type: 'ping' });
  await socket.receive('pong');
  socket.send({ type: 'subscribe', data: 'user_events' });
  expect(await socket.receive('subscribed')).toMatchObject({
    channel: 'user_events',
    points_balance: first.points_balance,
    stream_version: first.stream_version,
  });
  const second = await bet(player);
  expect(await socket.receive('game_result')).toEqual(second);
  socket.close();
});

test('sockets get no messages of other players, and none without a subscription', async () => {
  const [player, other] = [await site.login(), await site.login()];
  const quiet = await openSocket(site.url, player.token, { subscribe: false });
  const stranger = await openSocket(site.url, other.token);
  const own = await openSocket(site.url, player.token);
  await Promise.all([own.receive('subscribed'), stranger.receive('subscribed')]);
  await bet(player);
  await own.receive('balance_updated');
  for (const socket of [quiet, stranger]) {
    socket.send({ type: 'ping' });
    await socket.receive('pong');
    expect(socket.messages.filter(({ type }) => /result|updated/.test(type))).toEqual([]);
  }
  for (const socket of [quiet, stranger, own]) socket.close();
});

test('messages that the bus lost are read from the ledger', async () => {
  const player = await site.login();
  const socket = await openSocket(site.url, player.token);
  await socket.receive('subscribed');
  const publish = site.bus.publish;
  // The bus accepts everything and delivers nothing.
  site.bus.publish = async () => {};
  try {
    const lost = [await bet(player), await bet(player), await bet(player)];
    const last = lost.at(-1);
    await socket.receive('balance_updated', (data) => data.position === last?.position);
    const received = socket.messages.filter(({ type }) => type === 'game_result');
    expect(received.map(({ data }) => data)).toEqual(lost);
  } finally {
    site.bus.publish = publish;
  }
  socket.close();
});

test('a lost message is sent before the next one, only to sockets that miss it', async () => {
  const player = await site.login();
  const watch = site.bus.watch;
  let losing = false;
  site.bus.watch = (onBatch) => watch((batch) => losing || onBatch(batch));
  try {
    const { url } = await site.addGateway();
    const early = await openSocket(url, player.token);
    await early.receive('subscribed');
    losing = true;
    const lost = [await bet(player), await bet(player)];
    const late = await openSocket(url, player.token);
    await late.receive('subscribed', (data) => data.position === lost[1]?.position);
    await vi.waitFor(async () => {
      const stored = await site.bus.lastStored();
      expect(stored?.position).toBeGreaterThanOrEqual(lost[1]?.position ?? 0);
    }, WAIT);
    losing = false;
    const received = await bet(player);
    const results = async (socket: TestSocket) => {
      await socket.receive('balance_updated', (data) => data.position === received.position);
      return socket.messages.filter(({ type }) => type === 'game_result').map(({ data }) => data);
    };
    expect(await results(early)).toEqual([...lost, received]);
    expect(await results(late)).toEqual([received]);
    early.close();
    late.close();
  } finally {
    site.bus.watch = watch;
  }
});

test.each([
  ['a forged token', 'x'.repeat(43)],
  ['no token', ''],
])('%s closes with 4401', async (_, token) => {
  const socket = await openSocket(site.url, token, { subscribe: false });
  expect(await socket.closed).toBe(4401);
});

test('an invalid message is refused or closes its socket, without effect on others', async () => {
  const player = await site.login();
  const odd = await openSocket(site.url, player.token, { subscribe: false });
  for (const message of ['nonsense', { type: 'subscribe', data: { channel: 'all' } }, null, []]) {
    odd.send(message);
  }
  await odd.receive('error');
  const large = await openSocket(site.url, player.token, { subscribe: false });
  large.send('x'.repeat(5_000));
  expect(await large.closed).toBe(1009);
  const loud = await openSocket(site.url, player.token, { subscribe: false });
  // More than the limit also where they fall into several windows.
  for (let i = 0; i < 300; i++) loud.send({ type: 'ping' });
  expect(await loud.closed).toBe(4429);
  odd.send({ type: 'ping' });
  await odd.receive('pong');
  odd.close();
});

test('the number of sockets per player is limited', async () => {
  const player = await site.login();
  const sockets = [];
  for (let i = 0; i < 20; i++) {
    const socket = await openSocket(site.url, player.token);
    await socket.receive('subscribed');
    sockets.push(socket);
  }
  const more = await openSocket(site.url, player.token);
  expect(await more.closed).toBe(4429);

  // Another session of the player gets up to half of them, one by one.
  const second = await site.login(player.wallet);
  const others = [];
  for (let i = 0; i < 10; i++) {
    const socket = await openSocket(site.url, second.token);
    await socket.receive('subscribed');
    expect(await sockets.pop()?.closed).toBe(4429);
    others.push(socket);
  }
  for (const { token } of [player, second]) {
    expect(await (await openSocket(site.url, token)).closed).toBe(4429);
  }
  const { stream_version: version } = await bet(second);
  for (const socket of [...sockets, ...others]) {
    await socket.receive('balance_updated', (data) => data.stream_version === version);
    socket.close();
  }
});

test.each([
  [TEST_ORIGIN, 101],
  ['https://play.reelbook.test.evil', 400],
  [`${TEST_ORIGIN}:8443`, 400],
  [`${TEST_ORIGIN}/`, 400],
  ['http://play.reelbook.test', 400],
  ['http://localhost:8080', 400],
  ['null', 400],
])('a handshake of the origin %j gets the status %i', async (origin, status) => {
  const { token } = await site.login();
  const socket = new WebSocket(`${site.url.replace('http', 'ws')}/ws?token=${token}`, { origin });
  const received = await new Promise((resolve) => {
    socket.on('upgrade', ({ statusCode }) => resolve(statusCode));
    socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
    socket.on('error', () => {});
  });
  socket.terminate();
  expect(received).toBe(status);
});
