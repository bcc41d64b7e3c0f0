/** One bet all the way through a Postgres and a NATS in containers, and on when the bus was away. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connectNats } from '@reelbook/bus/nats';
import { createClient } from '@reelbook/contract/player/client';
import { openPool, type Role } from '@reelbook/event-store/db';
import { migrate } from '@reelbook/event-store/migrate';
import { startGateway } from '@reelbook/gateway/gateway';
import { startProjector } from '@reelbook/projector/projector';
import { startPublisher } from '@reelbook/publisher/publisher';
import { openLog } from '@reelbook/runtime/log';
import { startNatsContainer, startPostgresContainer } from '@reelbook/testing/containers';
import type { TestNats } from '@reelbook/testing/nats';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';

const PROJECTED_TIMEOUT_MS = 30_000;
const PUSHED_TIMEOUT_MS = 20_000;

const log = openLog({ name: 'containers', level: 'warn' });
const closers: (() => Promise<unknown>)[] = [];
let nats: TestNats;
let origin = '';

beforeAll(async () => {
  const postgres = await startPostgresContainer({ durable: true });
  closers.push(postgres.stop);
  nats = await startNatsContainer();
  closers.push(nats.stop);
  await startServices(postgres.url, nats.url);
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function startServices(url: string, natsUrl: string): Promise<void> {
  const pool = (role: Role) => {
    const opened = openPool({ url, role, max: 5, name: `containers-${role}` });
    closers.push(() => opened.end());
    return opened;
  };
  await migrate(pool('owner'));
  const bus = await connectNats({ url: natsUrl, log });
  closers.push(() => bus.close());
  const publisher = await startPublisher({ pool: pool('app'), bus, log });
  closers.push(() => publisher.close());
  const projector = await startProjector({ pool: pool('projector'), bus, log });
  closers.push(() => projector.close());
  const gateway = await startGateway({
    pool: pool('app'),
    bus,
    log,
    settings: {
      host: '127.0.0.1',
      port: 0,
      sessionKey: randomBytes(32),
      receiptKey: randomBytes(32),
      seedKey: randomBytes(32),
      seedKeyId: 'containers',
      localChain: true,
      gameTickMs: 1_000,
      webRoot: null,
    },
  });
  closers.push(() => gateway.close());
  origin = gateway.url;
}

async function enter() {
  let token: string | null = null;
  const client = createClient({ origin, token: () => token });
  const session = await client.call('login', { body: createWallet().login(Date.now()) });
  token = session.token;
  return { client, token: session.token };
}

/** A socket that is subscribed, and what it was sent. */
async function listen(token: string) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws?token=${token}`);
  const pushed: { type: string; data: Record<string, unknown> }[] = [];
  socket.on('message', (text) => {
    pushed.push(JSON.parse(String(text)));
    socket.emit('pushed');
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'subscribe', data: { channel: 'user_events' } }));
  const deadline = AbortSignal.timeout(PUSHED_TIMEOUT_MS);
  const find = async (
    type: string,
    fits: (data: Record<string, unknown>) => boolean = () => true,
  ) => {
    for (;;) {
      const found = pushed.find((message) => message.type === type && fits(message.data));
      if (found) return found.data;
      await once(socket, 'pushed', { signal: deadline });
    }
  };
  await find('subscribed');
  return { find, close: () => socket.close() };
}

test('a bet is decided, published, projected and pushed', async () => {
  const { client, token } = await enter();
  const socket = await listen(token);
  const bet = await client.call('slotBet', { body: { bet_amount: 10 } });
  const fits = (data: Record<string, unknown>) => data.round_id === bet.round_id;
  expect(await socket.find('game_result', fits)).toMatchObject({
    symbols: bet.symbols,
    win_amount: bet.win_amount,
  });
  const newest = (data: Record<string, unknown>) => data.stream_version === bet.stream_version;
  expect(await socket.find('balance_updated', newest)).toMatchObject({
    points_balance: bet.points_balance,
  });
  await expect
    .poll(async () => (await client.call('slotHistory')).items.map((round) => round.round_id), {
      timeout: PROJECTED_TIMEOUT_MS,
    })
    .toEqual([bet.round_id]);
  socket.close();
});

test('bets go on while the bus is away, and everything follows when it is back', async () => {
  const { client, token } = await enter();
  const socket = await listen(token);
  await nats.process?.kill();
  const bets = [];
  for (let bet = 0; bet < 5; bet += 1) {
    bets.push(await client.call('slotBet', { body: { bet_amount: 1 } }));
  }
  await nats.process?.start();
  const last = bets.at(-1);
  await expect
    .poll(async () => (await client.call('slotHistory')).total, { timeout: PROJECTED_TIMEOUT_MS })
    .toBe(bets.length);
  const newest = (data: Record<string, unknown>) => data.stream_version === last?.stream_version;
  expect(await socket.find('balance_updated', newest)).toMatchObject({
    points_balance: last?.points_balance,
  });
  socket.close();
});
