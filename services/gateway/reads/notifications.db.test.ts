import type { Seeds } from '@reelbook/contract/player/fairness';
import type { BetResult } from '@reelbook/contract/player/games';
import type { NotificationPage, Unread } from '@reelbook/contract/player/profile';
import { slotMachine } from '@reelbook/games/slot-machine/rules';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
} from '@reelbook/simulator/stages/site';
import { clientSeedFor } from '@reelbook/testing/next-draw';
import { observeTreasury } from '@reelbook/testing/treasury';
import { afterAll, beforeAll, expect, test } from 'vitest';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
  await observeTreasury(site.pool, 10n ** 15n);
});
afterAll(() => site.close());

const list = async (player: TestPlayer, query = '') =>
  (await player.call<NotificationPage>(`/user/notifications${query}`)).data;
const read = (player: TestPlayer, which: string | number) =>
  player.call<Unread>(
    which === 'all' ? '/user/notifications/read-all' : `/user/notifications/${which}/read`,
    { method: 'PUT' },
  );
const exchange = (player: TestPlayer, amount: number) => {
  const body = { from_type: 'points', to_type: 'token', amount };
  return player.call<{ position: number }>('/transaction/exchange', { body });
};
const rotate = (player: TestPlayer) => player.call('/fairness/rotate', { body: {} });

/** The list of a player, when the projection has reached the position. */
async function listOf(player: TestPlayer, total: number): Promise<NotificationPage> {
  await expect.poll(async () => (await list(player)).total).toBe(total);
  return list(player);
}

/** A player with one round and no big win, which would add a notification. */
async function playedPlayer(): Promise<TestPlayer> {
  for (;;) {
    const player = await site.login();
    await rotate(player);
    await player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } });
    if ((await list(player)).unread_count === 1) return player;
  }
}

test('a player is notified of the welcome, of rotated seeds and of exchanges, newest first', async () => {
  // The first pair has no rounds; the second has one.
  const player = await playedPlayer();
  await rotate(player);
  const { data } = await exchange(player, 12.5);
  const page = await listOf(player, 3);
  expect(page.unread_count).toBe(3);
  expect(page.items.map(({ type, title, read }) => [type, title, read])).toEqual([
    ['transaction', 'Exchange done', false],
    ['system', 'Seeds rotated', false],
    ['system', 'Welcome to Reelbook', false],
  ]);
  expect(page.items[0]).toMatchObject({
    id: data.position,
    content: '12.5 points became 0.125 BSM.',
    created_at: expect.stringMatching(/Z$/),
  });
  const second = await list(player, '?page=2&page_size=2');
  expect(second).toMatchObject({ page: 2, page_size: 2, total: 3 });
  expect(second.items.map(({ title }) => title)).toEqual(['Welcome to Reelbook']);
});

test('marks as read take effect immediately, one by one and all together, and every count has its version', async () => {
  const player = await site.login();
  // Marked by position before the projection has it.
  const { data: exchanged } = await exchange(player, 1);
  const first = await read(player, exchanged.position);
  expect(first.data).toMatchObject({ unread_count: 1 });
  expect(first.position).toBe(first.data.position);
  const page = await listOf(player, 2);
  expect(page.items.map((one) => one.read)).toEqual([true, false]);
  expect(page.stream_version).toBe(first.data.stream_version);
  expect((await read(player, exchanged.position)).data).toEqual(first.data);
  const all = await read(player, 'all');
  expect(all.data.unread_count).toBe(0);
  expect(all.data.stream_version).toBe(first.data.stream_version + 1);
  expect((await read(player, 'all')).data).toEqual(all.data);
  expect((await list(player)).items.every((one) => one.read)).toBe(true);
});

test('only own notifications can be marked as read', async () => {
  const [player, other] = [await site.login(), await site.login()];
  const { data } = await exchange(other, 1);
  for (const which of [data.position, 1, 999_999_999_999_999]) {
    expect(await read(player, which)).toMatchObject({
      status: 404,
      data: { error: 'no-such-notification' },
    });
  }
  for (const which of ['0', '-1', '1.5', 'x', '1'.repeat(16), '%00']) {
    expect((await read(player, which)).status).toBe(400);
  }
  expect((await list(other)).unread_count).toBe(2);
  expect((await site.call('/user/notifications')).status).toBe(401);
});

test.each([
  [10, false],
  [15, true],
])('of wins of 4 times the stake, that of %d points is notified: %s', async (stake, isBig) => {
  const player = await site.login();
  const seeds = (await player.call<Seeds>('/fairness/seeds')).data;
  const bet = { rules: 'slot-1', stakeMinor: 100n, lines: 25 };
  const client_seed = await clientSeedFor(
    site.vault,
    seeds.next.server_seed_hash,
    (drawsOf) => slotMachine.draw({ ...bet, draws: drawsOf(0) }).payoutMinor === 400n,
  );
  await player.call('/fairness/rotate', { body: { client_seed } });
  const body = { bet_amount: stake };
  const { data: won } = await player.call<BetResult>('/game/slot-machine/bet', { body });
  expect(won.win_amount).toBe(4 * stake);
  await exchange(player, 1);
  const kinds = (await listOf(player, isBig ? 3 : 2)).items.map(({ kind }) => kind);
  expect(kinds).toEqual(['exchanged', ...(isBig ? ['big-win'] : []), 'welcome']);
});

test('sockets get a notification with the count and its version, and the mark as read', async () => {
  const player = await site.login();
  const sockets = [
    await openSocket(site.url, player.token),
    await openSocket((await site.addGateway()).url, player.token),
  ];
  for (const socket of sockets) {
    expect(await socket.receive('subscribed')).toMatchObject({ unread_count: 1, resumed: false });
  }
  const { data } = await exchange(player, 100);
  const { data: seen } = await read(player, 'all');
  for (const socket of sockets) {
    await socket.receive('notification', ({ unread_count }) => unread_count === 0);
    const received = socket.messages.slice(1);
    expect(received.map(({ type }) => type)).toEqual([
      'transaction_updated',
      'balance_updated',
      'notification',
      'notification',
    ]);
    expect(received[0]?.data).toMatchObject({
      id: data.position,
      type: 'exchange',
      status: 'completed',
      success: true,
      tokens_received: 1,
    });
    expect(received[2]?.data).toEqual({
      type: 'transaction',
      id: data.position,
      kind: 'exchanged',
      facts: {
        gave: { asset: 'points', amount: 100 },
        got: { asset: 'token', amount: 1 },
      },
      title: 'Exchange done',
      content: '100 points became 1 BSM.',
      unread_count: 2,
      stream_version: seen.stream_version - 1,
    });
    expect(received[3]?.data).toMatchObject({
      type: 'unread',
      unread_count: 0,
      stream_version: seen.stream_version,
    });
    socket.close();
  }
});
