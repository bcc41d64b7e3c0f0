import { startExecutor } from '@reelbook/event-store/execute';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
  type TestSocket,
} from '@reelbook/simulator/stages/site';
import { observeTreasury } from '@reelbook/testing/treasury';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** More events than are sent to a resuming socket. */
const MANY_BETS = 130;

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
  await observeTreasury(site.pool, 10n ** 15n);
});
afterAll(() => site.close());

interface Versioned {
  readonly stream_version: number;
  readonly position: number;
}
const bet = async (player: TestPlayer) =>
  (await player.call<Versioned>('/game/slot-machine/bet', { body: { bet_amount: 1 } })).data;
const exchange = async (player: TestPlayer) => {
  const body = { from_type: 'points', to_type: 'token', amount: 1 };
  return (await player.call<Versioned>('/transaction/exchange', { body })).data;
};

async function resume(player: TestPlayer, stream_version: unknown): Promise<TestSocket> {
  const socket = await openSocket(site.url, player.token, { subscribe: false });
  socket.send({ type: 'subscribe', data: { channel: 'user_events', stream_version } });
  return socket;
}

const versionsOf = (socket: TestSocket) =>
  socket.messages.map(({ data }) => Number(data.stream_version));

describe('a resuming socket', () => {
  test('gets the missed messages in order, then the current state, then new messages', async () => {
    const player = await site.login();
    const first = await openSocket(site.url, player.token);
    const known = await first.receive('subscribed');
    first.close();
    await first.closed;
    const missed = [await bet(player), await bet(player), await exchange(player)];
    const socket = await resume(player, known.stream_version);
    const now = await socket.receive('subscribed');
    expect(now).toMatchObject({
      resumed: true,
      stream_version: missed[2]?.stream_version,
      position: missed[2]?.position,
    });
    const results = socket.messages.filter(({ type }) => type === 'game_result');
    expect(results.map(({ data }) => data)).toEqual(missed.slice(0, 2));
    const types = socket.messages.map(({ type }) => type);
    expect(types).toContain('transaction_updated');
    expect(types).toContain('notification');
    expect(types.at(-1)).toBe('subscribed');
    const next = await bet(player);
    await socket.receive('balance_updated', (data) => data.position === next.position);
    expect(versionsOf(socket)).toEqual([...versionsOf(socket)].sort((a, b) => a - b));
    socket.close();
  });

  test('that missed nothing gets resumed: true', async () => {
    const player = await site.login();
    const { stream_version } = await bet(player);
    const socket = await resume(player, stream_version);
    expect(await socket.receive('subscribed')).toMatchObject({ resumed: true, stream_version });
    expect(socket.messages).toHaveLength(1);
    socket.close();
  });

  test('that missed too much gets only the current balances', async () => {
    const player = await site.login();
    const { data: known } = await player.call<Versioned>('/user/balance');
    const bets = await Promise.all(Array.from({ length: MANY_BETS }, () => bet(player)));
    const newest = Math.max(...bets.map(({ stream_version }) => stream_version));
    const socket = await resume(player, known.stream_version);
    expect(await socket.receive('subscribed')).toMatchObject({
      resumed: false,
      stream_version: newest,
    });
    expect(socket.messages).toHaveLength(1);
    socket.close();
  });

  test('with a version that does not exist yet starts at the current state', async () => {
    const player = await site.login();
    const socket = await resume(player, 1_000_000);
    expect(await socket.receive('subscribed')).toMatchObject({ resumed: false });
    const next = await bet(player);
    await socket.receive('balance_updated', (data) => data.position === next.position);
    socket.close();
  });

  test('and a connected one both get each message once', async () => {
    const player = await site.login();
    const stayed = await openSocket(site.url, player.token);
    const known = await stayed.receive('subscribed');
    const first = await bet(player);
    const socket = await resume(player, known.stream_version);
    await socket.receive('subscribed');
    const second = await bet(player);
    for (const one of [stayed, socket]) {
      await one.receive('balance_updated', (data) => data.position === second.position);
      const results = one.messages.filter(({ type }) => type === 'game_result');
      expect(results.map(({ data }) => data)).toEqual([first, second]);
      one.close();
    }
  });
});

describe('a bus that loses messages', () => {
  test('loses no exchange, no notification and no count', async () => {
    const player = await site.login();
    const socket = await openSocket(site.url, player.token);
    await socket.receive('subscribed');
    const { publish } = site.bus;
    site.bus.publish = async () => {};
    try {
      const lost = await exchange(player);
      await player.call('/user/notifications/read-all', { method: 'PUT' });
      await socket.receive('transaction_updated', (data) => data.position === lost.position);
      await socket.receive('notification', (data) => data.id === lost.position);
      await socket.receive('notification', (data) => data.unread_count === 0);
      expect(versionsOf(socket)).toEqual([...versionsOf(socket)].sort((a, b) => a - b));
    } finally {
      site.bus.publish = publish;
    }
    socket.close();
  });

  test('or cannot be followed at all is not needed', async () => {
    const player = await site.login();
    const { watch } = site.bus;
    site.bus.watch = () => Promise.reject(new Error('no subscription'));
    try {
      const { url } = await site.addGateway();
      const socket = await openSocket(url, player.token);
      await socket.receive('subscribed');
      const { position } = await exchange(player);
      await socket.receive('balance_updated', (data) => data.position === position);
      socket.close();
    } finally {
      site.bus.watch = watch;
    }
  });
});

describe('a change of the configuration', () => {
  const change = async (bigWinMultiple: number) => {
    const executor = startExecutor({ pool: site.pool, onAppended: () => site.bus.nudge() });
    const executed = await executor.execute({
      decider: configDecider,
      stream: CONFIG_STREAM,
      idempotencyKey: `test:${bigWinMultiple}`,
      request: null,
      meta: { correlation: 'test', actor: 'system:test' },
      async prepare({ config }) {
        if (!config) throw new Error('the configuration is seeded');
        const knownRules = { 'slot-machine': ['slot-1', 'slot-2'] };
        const command = { type: 'ChangeConfig' as const, reason: 'a test', knownRules };
        return {
          command: {
            ...command,
            config: { ...config, bigWinMultiple },
            by: 'system:test',
            adminsEver: 0,
          },
          configVersion: null,
        };
      },
    });
    await executor.close();
    return executed.kind === 'done' ? executed.version : 0;
  };

  test.each([
    ['with the bus', true, 5],
    ['without it', false, 6],
  ])('is sent once to every socket of every gateway, %s', async (_how, delivers, multiple) => {
    const other = await site.addGateway();
    const players = [await site.login(), await site.login()];
    const sockets = await Promise.all([
      ...players.map(({ token }) => openSocket(site.url, token)),
      openSocket(other.url, players[0]?.token ?? ''),
    ]);
    for (const socket of sockets) await socket.receive('subscribed');
    const { publish } = site.bus;
    if (!delivers) site.bus.publish = async () => {};
    try {
      const version = await change(multiple);
      const isNewVersion = (data: Record<string, unknown>) => data.config_version === version;
      for (const socket of sockets) await socket.receive('config_updated', isNewVersion);
      for (const socket of sockets) {
        const all = socket.messages.filter(({ type }) => type === 'config_updated');
        expect(all).toHaveLength(1);
        socket.close();
      }
    } finally {
      site.bus.publish = publish;
    }
  });
});
