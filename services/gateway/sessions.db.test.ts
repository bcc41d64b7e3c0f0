/** Two gateways on one database. What one ends, the other refuses when its cache of a second has expired. */

import type { OpenSession, Session, SignIn } from '@reelbook/contract/player/profile';
import { routes } from '@reelbook/contract/player/routes';
import { API_BASE, type Routes } from '@reelbook/contract/route';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { playerStream } from '@reelbook/ledger/streams';
import { call } from '@reelbook/simulator/client/api';
import { changedToken } from '@reelbook/simulator/stages/changed-token';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
} from '@reelbook/simulator/stages/site';
import { sendLate } from '@reelbook/testing/raw-http';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { FAMILIES_PER_WALLET, openSessions } from './sessions.ts';

let site: TestSite;
let other: string;
beforeAll(async () => {
  site = await startSite();
  other = (await site.addGateway()).url;
});
afterAll(() => site.close());
afterEach(() => vi.restoreAllMocks());

const post = { method: 'POST' } as const;
const refresh = (token: string, url = site.url) => call<Session>(url, '/user/refresh', { token });
const statusOf = async (token: string, url = site.url) =>
  (await call(url, '/user/profile', { token })).status;
const rowsOf = async (wallet: string) => {
  const { rows } = await site.pool.query<{ generation: number }>(
    'select generation from sessions where wallet = $1',
    [wallet],
  );
  return rows;
};
const versionOf = async ({ wallet }: TestPlayer) => {
  const { rows } = await site.pool.query<{ version: number }>(
    'select version from streams where name = $1',
    [playerStream(wallet.address)],
  );
  return rows[0]?.version;
};
/** Moves the last refresh of a player's sessions into the past. */
const age = (wallet: string, by: string) =>
  site.pool.query(
    'update sessions set refreshed_at = refreshed_at - $2::interval where wallet = $1',
    [wallet, by],
  );
const changed = (token: string, change: Parameters<typeof changedToken>[2]) =>
  changedToken(site.sessionKey, token, change);

async function expectDead(tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    for (const url of [site.url, other]) {
      await expect.poll(() => statusOf(token, url), WAIT).toBe(401);
    }
  }
}

async function openSockets(token: string) {
  const sockets = [await openSocket(site.url, token), await openSocket(other, token)];
  for (const socket of sockets) await socket.receive('subscribed');
  return sockets;
}

const loginOf = (wallet: string, signIn: SignIn = 'sentence') => ({ wallet, signIn, login: 1 });
/** Sessions as a gateway has them, without the gateway. */
const openOwn = () => openSessions({ pool: site.pool, key: site.sessionKey, log: site.log });

describe('a refresh', () => {
  test('of one token by 50 callers at the same time, on two gateways, gives one successor', async () => {
    const player = await site.login();
    let { token } = player;
    for (const generation of [1, 2]) {
      const refreshed = await Promise.all(
        Array.from({ length: 50 }, (_, i) => refresh(token, i % 2 ? site.url : other)),
      );
      expect(new Set(refreshed.map(({ status }) => status))).toEqual(new Set([200]));
      const successors = new Set(refreshed.map(({ data }) => data.token));
      expect(successors.size).toBe(1);
      const [successor = ''] = successors;
      expect(successor).not.toBe(token);
      expect(await rowsOf(player.wallet.address)).toMatchObject([{ generation }]);
      token = successor;
      expect([await statusOf(token), await statusOf(token, other)]).toEqual([200, 200]);
    }
    // The first token was refreshed, and so was its successor.
    await expectDead([player.token, token]);
  });

  test.each(['/user/refresh', '/user/profile'])(
    'ends the old token: its use at %s after the grace ends the session',
    async (path) => {
      const player = await site.login();
      const { token } = (await refresh(player.token)).data;
      const [old, current] = [
        await openSocket(other, player.token),
        await openSocket(other, token),
      ];
      expect((await refresh(player.token)).data.token).toBe(token);
      expect(await statusOf(player.token, other)).toBe(200);
      await age(player.wallet.address, '31 seconds');
      expect(await old.closed).toBe(4401);
      expect(await statusOf(token)).toBe(200);
      await expect
        .poll(async () => (await call(site.url, path, { token: player.token })).status, WAIT)
        .toBe(401);
      expect(await current.closed).toBe(4401);
      await expectDead([token]);
      expect(site.logged.join('')).toContain('a refreshed token was used again');
    },
  );

  test('extends the session to 30 days at most', async () => {
    const player = await site.login();
    const first = await refresh(player.token);
    const lifeMs = Date.parse(first.data.expires_at) - Date.now();
    expect(lifeMs).toBeGreaterThan(23 * HOUR_MS);
    expect(lifeMs).toBeLessThanOrEqual(24 * HOUR_MS);
    const startedAtMs = Date.now() - 30 * 24 * HOUR_MS + 5 * HOUR_MS;
    const endsAtMs = Date.now() + HOUR_MS;
    const old = changed(first.data.token, () => ({ startedAtMs, endsAtMs }));
    const { data } = await refresh(old);
    expect(Date.parse(data.expires_at)).toBe(startedAtMs + 30 * 24 * HOUR_MS);
    expect((await refresh(data.token)).data).toMatchObject({
      token: data.token,
      expires_at: data.expires_at,
    });
    expect(await rowsOf(player.wallet.address)).toMatchObject([{ generation: 2 }]);
  });
});

describe('the end of a session', () => {
  test('by a logout with the old token includes the refreshed one, on each gateway', async () => {
    const player = await site.login();
    const { token } = (await refresh(player.token)).data;
    const sockets = await openSockets(token);
    expect(await statusOf(token, other)).toBe(200);
    expect((await player.call('/auth/logout', post)).status).toBe(200);
    expect(await statusOf(player.token)).toBe(401);
    for (const socket of sockets) expect(await socket.closed).toBe(4401);
    await expectDead([token]);
    expect((await refresh(token, other)).status).toBe(401);
  });

  test('reaches a gateway that has the session in its cache within a second', async () => {
    const [here, there] = [openOwn(), openOwn()];
    const { token } = await here.open(here.draw(), loginOf(createWallet().address));
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    expect(await there.find(token)).not.toBeNull();
    await here.revoke(token);
    expect(await here.find(token)).toBeNull();
    expect(await there.find(token)).not.toBeNull();
    clock.mockReturnValue(2_000);
    await expect.poll(() => there.find(token), WAIT).toBeNull();
  });

  test('refuses a socket at a gateway that has the session in its cache', async () => {
    const player = await site.login();
    expect(await statusOf(player.token, other)).toBe(200);
    expect((await player.call('/auth/logout', post)).status).toBe(200);
    const socket = await openSocket(other, player.token);
    expect(await socket.closed).toBe(4401);
    expect(socket.messages).toEqual([]);
  });

  test('everywhere includes this session and no other player', async () => {
    const wallet = createWallet();
    const own = [await site.login(wallet), await site.login(wallet)] as const;
    const stranger = await site.login();
    const sockets = await openSockets(own[1].token);
    expect((await own[0].call('/auth/logout-all', post)).status).toBe(200);
    await expectDead(own.map(({ token }) => token));
    for (const socket of sockets) expect(await socket.closed).toBe(4401);
    expect(await statusOf(stranger.token)).toBe(200);
    expect(await statusOf((await site.login(wallet)).token)).toBe(200);
  });
});

describe('the list of sessions', () => {
  const list = async (player: TestPlayer) =>
    (await player.call<OpenSession[]>('/user/sessions')).data;

  test('names the sign-in, the current session and no token; one of them is ended', async () => {
    const wallet = createWallet();
    const first = await site.login(wallet);
    const body = wallet.checkedLogin(Date.now());
    const { data } = await site.call<Session>('/auth/login', { body });
    const [newest, oldest] = await list(first);
    expect(newest).toMatchObject({ current: false, sign_in: 'siws', expires_at: data.expires_at });
    expect(oldest).toMatchObject({ current: true, sign_in: 'sentence' });
    expect(JSON.stringify([newest, oldest])).not.toContain(data.token);

    const stranger = await site.login();
    const end = (player: TestPlayer, id: string | undefined) =>
      player.call<OpenSession[]>(`/user/sessions/${id}/end`, post);
    await end(stranger, newest?.id);
    expect(await statusOf(data.token)).toBe(200);
    expect((await end(first, newest?.id)).data).toEqual([oldest]);
    await expectDead([data.token]);
    expect((await end(first, newest?.id)).data).toEqual([oldest]);
    expect((await end(first, '%27')).status).toBe(400);
    expect(await statusOf(first.token)).toBe(200);
  });

  test('is bounded: a login beyond the bound ends the session refreshed longest ago', async () => {
    const sessions = openOwn();
    const wallet = createWallet().address;
    const open = async () => (await sessions.open(sessions.draw(), loginOf(wallet))).token;
    const tokens: string[] = [];
    for (let i = 0; i < FAMILIES_PER_WALLET; i++) tokens.push(await open());
    const [first = '', second = ''] = tokens;
    const refreshed = await sessions.refresh(first);
    await open();
    expect(await sessions.list(wallet)).toHaveLength(FAMILIES_PER_WALLET);
    expect(await sessions.find(second)).toBeNull();
    expect(await sessions.find(refreshed?.token ?? '')).not.toBeNull();
    await Promise.all(Array.from({ length: 50 }, open));
    await open();
    expect(await rowsOf(wallet)).toHaveLength(FAMILIES_PER_WALLET);
  });
});

test('sessions in use are read together; one that was ended meanwhile is not kept', async () => {
  let nowMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const queries = vi.spyOn(site.pool, 'query');
  const own = openOwn();
  const wallets = [createWallet(), createWallet(), createWallet()].map(({ address }) => address);
  const tokens: string[] = [];
  for (const wallet of wallets) tokens.push((await own.open(own.draw(), loginOf(wallet))).token);
  /** Those of these wallets: the gateway reads sessions of its sockets. */
  const reads = () =>
    queries.mock.calls.filter(([one]) => {
      const { name, values } = one as { name?: string; values?: [unknown, readonly string[]] };
      return name === 'read-sessions' && values?.[1].some((wallet) => wallets.includes(wallet));
    });
  const find = async () => {
    const found = [];
    for (const token of tokens) found.push((await own.find(token))?.wallet ?? null);
    return found;
  };
  /** Of the cache, which reads the time once per ms. */
  const untilExpired = async () => {
    nowMs += 901;
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  expect(await find()).toEqual(wallets);
  expect(await find()).toEqual(wallets);
  expect(reads()).toHaveLength(3);
  await untilExpired();
  expect(await find()).toEqual(wallets);
  expect(reads()).toHaveLength(4);
  const [, , last = ''] = wallets;
  await own.revokeAll(last);
  expect(await find()).toEqual(wallets);
  await untilExpired();
  expect(await find()).toEqual([...wallets.slice(0, 2), null]);
  expect(reads()).toHaveLength(6);
});

test('expired sessions are removed, live ones stay', async () => {
  const [gone, live] = [await site.login(), await site.login()];
  await age(gone.wallet.address, '25 hours');
  await openOwn().sweep();
  expect(await rowsOf(gone.wallet.address)).toEqual([]);
  expect(await rowsOf(live.wallet.address)).toHaveLength(1);
});

describe('a row that was changed', () => {
  const write = (sql: string, ...values: unknown[]) => site.pool.query(sql, values);
  const saved = async (wallet: string) => {
    const read = 'select to_json(sessions)::text as row from sessions where wallet = $1';
    const { rows } = await write(read, wallet);
    const insert = 'insert into sessions select * from json_populate_record(null::sessions, $1)';
    return () => write(insert, rows[0]?.row);
  };

  test.each([
    ['to another player', `update sessions set wallet = $2, sign_in = 'siws' where wallet = $1`],
    ['to another sign-in', `update sessions set sign_in = 'siws' where wallet = $1 or wallet = $2`],
    [
      'in exchange with that of another player',
      `update sessions set wallet = case wallet when $1 then $2 else $1 end where wallet in ($1, $2)`,
    ],
    [
      'to the login of another player',
      `update sessions set login = (select login from sessions where wallet = $2) where wallet = $1`,
    ],
    [
      'and names the other wallet and login',
      `update sessions as own set wallet = $2, login = other.login, sign_in = other.sign_in
        from sessions as other where own.wallet = $1 and other.wallet = $2`,
    ],
    [
      'to a wallet that never logged in',
      `update sessions set wallet = translate($1, '23456789', '34567892') where wallet = $1 or wallet = $2`,
    ],
  ])('%s is no session', async (_what, sql) => {
    const [own, victim] = [await site.login(), await site.login()];
    await write(sql, own.wallet.address, victim.wallet.address);
    expect(await openOwn().find(own.token)).toBeNull();
    expect(await openOwn().refresh(own.token)).toBeNull();
    await expectDead([own.token]);
    const socket = await openSocket(other, own.token, { subscribe: false });
    expect(await socket.closed).toBe(4401);
  });

  test('closes the sockets of its session', async () => {
    const [own, victim] = [await site.login(), await site.login()];
    const sockets = await openSockets(own.token);
    await write(
      'update sessions set wallet = $2 where wallet = $1',
      own.wallet.address,
      victim.wallet.address,
    );
    for (const socket of sockets) expect(await socket.closed).toBe(4401);
  });

  test('to a later time extends neither a token nor a refreshed one', async () => {
    const player = await site.login();
    await write(
      `update sessions set created_at = now() + interval '5 years',
        refreshed_at = now() + interval '5 years' where wallet = $1`,
      player.wallet.address,
    );
    const [past, soon] = [-1, 1_500].map((ms) =>
      changed(player.token, () => ({ endsAtMs: Date.now() + ms })),
    ) as [string, string];
    const socket = await openSocket(site.url, soon);
    expect(await socket.closed).toBe(4401);
    await expectDead([past, soon]);
    expect([(await refresh(past)).status, (await refresh(soon)).status]).toEqual([401, 401]);
    const last = changed(player.token, ({ startedAtMs }) => ({
      startedAtMs: startedAtMs - 30 * 24 * HOUR_MS,
      endsAtMs: Date.now() + HOUR_MS,
    }));
    expect((await refresh(last)).data.token).toBe(last);
    const { data } = await refresh(player.token);
    expect(Date.parse(data.expires_at) - Date.now()).toBeLessThanOrEqual(24 * HOUR_MS);
    // The loser of a race computes the end from the time in the row.
    await write(
      `update sessions set refreshed_at = now() + interval '5 years' where wallet = $1`,
      player.wallet.address,
    );
    const again = (await refresh(player.token)).data;
    expect(Date.parse(again.expires_at) - Date.now()).toBeLessThanOrEqual(24 * HOUR_MS);
  });

  test('to another generation accepts a token of the same player only until its end', async () => {
    const player = await site.login();
    const { data } = await refresh(player.token);
    const set = (generation: number) =>
      write(
        'update sessions set generation = $2 where wallet = $1',
        player.wallet.address,
        generation,
      );
    await set(0);
    expect(await openOwn().find(data.token)).toBeNull();
    const { wallet } = player;
    const kept = { wallet: wallet.address, signIn: 'sentence' };
    expect(await openOwn().find(player.token)).toMatchObject(kept);
    const past = changed(player.token, () => ({ endsAtMs: Date.now() - 1 }));
    expect(await openOwn().find(past)).toBeNull();
    await set(7);
    expect(await openOwn().find(player.token)).toBeNull();
    expect(await rowsOf(wallet.address)).toEqual([]);
  });

  test('by an insert again after a logout acts as the same player until the end of the token', async () => {
    const player = await site.login();
    const restore = await saved(player.wallet.address);
    expect((await player.call('/auth/logout', post)).status).toBe(200);
    await expectDead([player.token]);
    await restore();
    expect(await openOwn().find(player.token)).toMatchObject({
      wallet: player.wallet.address,
      signIn: 'sentence',
    });
    const past = changed(player.token, () => ({ endsAtMs: Date.now() - 1 }));
    expect([await openOwn().find(past), await openOwn().refresh(past)]).toEqual([null, null]);
  });
});

describe('a call whose body arrives after the end of its session', () => {
  const exchange = { from_type: 'points', to_type: 'token', amount: 1 };
  const calls = Object.values(routes as Routes).filter(
    ({ method, access, path }) =>
      method !== 'GET' && access === 'player' && !/auth|sessions|faucet/.test(path),
  );

  test.each([
    ['logs out everywhere', '/auth/logout-all'],
    ['logs out', '/auth/logout'],
  ])('is refused when its player %s', async (_how, path) => {
    const player = await site.login();
    const late = [];
    const heads = [
      ...calls.map((call) => ({ ...call, body: {} })),
      { method: 'POST', path: '/transaction/exchange', body: exchange },
      { method: 'POST', path: '/game/slot-machine/bet', body: { bet_amount: 1 } },
    ];
    expect(heads.length).toBeGreaterThan(15);
    for (const { method, path: of, body } of heads) {
      const target = API_BASE + of.replace(/:\w+/g, '1');
      late.push([
        of,
        sendLate(site.url, { method, path: target, token: player.token, body }),
      ] as const);
      // Its head was read before this one has a response.
      expect(await statusOf(player.token)).toBe(200);
    }
    const before = await versionOf(player);
    expect((await player.call(path, post)).status).toBe(200);
    await expectDead([player.token]);
    for (const [of, { finish }] of late) {
      expect.soft(await finish(), of).toEqual({ status: 401, error: 'session-dead' });
    }
    expect(await versionOf(player)).toBe(before);
  });

  test('ends no session whose token was refreshed meanwhile', async () => {
    const player = await site.login();
    const { token } = player;
    const exchanging = { method: 'POST', path: `${API_BASE}/transaction/exchange`, body: exchange };
    const late = sendLate(site.url, { ...exchanging, token });
    expect(await statusOf(token)).toBe(200);
    const { data } = await refresh(token);
    await age(player.wallet.address, '1 minute');
    // The cache of a second has expired.
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 2_000);
    expect(await late.finish()).toEqual({ status: 401, error: 'session-dead' });
    expect(await statusOf(data.token)).toBe(200);
  });
});
