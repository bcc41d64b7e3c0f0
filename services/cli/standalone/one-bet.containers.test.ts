/** Bets through Postgres and NATS in containers, also while the bus is unavailable. */

import type { BetResult, Round } from '@reelbook/contract/player/games';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { openLog } from '@reelbook/runtime/log';
import { SPIN_PATH } from '@reelbook/simulator/client/player';
import { openSocket, startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { startNatsContainer } from '@reelbook/testing/containers';
import type { TestNats } from '@reelbook/testing/nats';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PROJECTED_TIMEOUT_MS = 60_000;

const log = openLog({ name: 'containers', level: 'warn' });
let nats: TestNats;
let site: TestSite;

beforeAll(async () => {
  nats = await startNatsContainer();
  site = await startSite({ bus: await connectNats({ url: nats.url, log }) });
});
afterAll(async () => {
  await site.close();
  await nats.stop();
});

async function enter() {
  const player = await site.login();
  const socket = await openSocket(site.url, player.token);
  await socket.receive('subscribed');
  const bet = async (points: number) => {
    const { data } = await player.call<BetResult>(SPIN_PATH, { body: { bet_amount: points } });
    return data;
  };
  const history = async () => {
    const path = '/game/slot-machine/history';
    return (await player.call<{ items: Round[]; total: number }>(path)).data;
  };
  return { bet, history, socket };
}

test('a bet is decided, published, projected and pushed', async () => {
  const { bet: place, history, socket } = await enter();
  const bet = await place(10);
  const fits = (data: Record<string, unknown>) => data.round_id === bet.round_id;
  expect(await socket.receive('game_result', fits)).toMatchObject({
    symbols: bet.symbols,
    win_amount: bet.win_amount,
  });
  const newest = (data: Record<string, unknown>) => data.stream_version === bet.stream_version;
  expect(await socket.receive('balance_updated', newest)).toMatchObject({
    points_balance: bet.points_balance,
  });
  await expect
    .poll(async () => (await history()).items.map((round) => round.round_id), {
      timeout: PROJECTED_TIMEOUT_MS,
    })
    .toEqual([bet.round_id]);
  socket.close();
});

test('bets succeed while the bus is unavailable, and are published when it returns', async () => {
  const { bet: place, history, socket } = await enter();
  await nats.process?.kill();
  const bets = [];
  for (let bet = 0; bet < 5; bet += 1) {
    bets.push(await place(1));
  }
  await nats.process?.start();
  const last = bets.at(-1);
  await expect
    .poll(async () => (await history()).total, { timeout: PROJECTED_TIMEOUT_MS })
    .toBe(bets.length);
  const newest = (data: Record<string, unknown>) => data.stream_version === last?.stream_version;
  expect(await socket.receive('balance_updated', newest)).toMatchObject({
    points_balance: last?.points_balance,
  });
  socket.close();
});
