/** Two gateways on one database. What one ends, the other refuses when its cache of a second has expired. */
import type { OpenSession, Session } from '@reelbook/contract/player/session';
import { call } from '@reelbook/simulator/client/api';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
} from '@reelbook/simulator/stages/site';
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
  const { rows } = await site.pool.query<{ generation: number; lives_s: number }>(
    `select generation, extract(epoch from expires_at - created_at)::float8 as lives_s
      from sessions where wallet = $1`,
    [wallet],
  );
  return rows;
};
/** Moves the times of a player's sessions into the past. */
const age = (wallet: string, by: string, times = ['created_at', 'refreshed_at', 'expires_at']) =>
  site.pool.query(
    `update sessions set ${times.map((time) => `${time} = ${time} - $2::interval`)} where wallet = $1`,
    [wallet, by],
  );

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
      await age(player.wallet.address, '31 seconds', ['refreshed_at']);
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
    await age(player.wallet.address, '23 hours');
    const { token } = (await refresh(player.token)).data;
    const day = 86_400;
    const hours47 = 47 * 3_600;
    expect((await rowsOf(player.wallet.address))[0]?.lives_s).toBeCloseTo(hours47, -2);
    await age(player.wallet.address, '28 days 2 hours', ['created_at']);
    await age(player.wallet.address, '10 hours', ['expires_at']);
    const { data } = await refresh(token);
    expect((await rowsOf(player.wallet.address))[0]?.lives_s).toBe(30 * day);
    expect((await refresh(data.token)).data).toMatchObject({
      token: data.token,
      expires_at: data.expires_at,
    });
    await age(player.wallet.address, '2 days');
    await expectDead([token, data.token]);
    expect((await refresh(data.token)).status).toBe(401);
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
    const { token } = here.draw();
    await here.open(token, { wallet: createWallet().address, signIn: 'sentence' });
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

  test('of one kind of sign-in keeps the other', async () => {
    const sessions = openOwn();
    const wallet = createWallet().address;
    const open = async (signIn: 'sentence' | 'siws') =>
      (await sessions.open(sessions.draw().token, { wallet, signIn })).token;
    const [sentence, siws] = [await open('sentence'), await open('siws')];
    await sessions.revokeAll(wallet, { signIn: 'sentence' });
    expect(await sessions.find(sentence)).toBeNull();
    expect(await sessions.find(siws)).toMatchObject({ wallet, signIn: 'siws' });
  });
});

describe('the list of sessions', () => {
  const list = async (player: TestPlayer) =>
    (await player.call<OpenSession[]>('/user/sessions')).data;

  test('names the device, the current session and no token; one of them is ended', async () => {
    const wallet = createWallet();
    const first = await site.login(wallet);
    const response = await fetch(`${site.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
      body: JSON.stringify(wallet.login(Date.now() + 1)),
    });
    const { data } = (await response.json()) as { data: Session };
    const [newest, oldest] = await list(first);
    expect(newest).toMatchObject({
      ...{ current: false, sign_in: 'sentence', device: 'Firefox, Linux' },
      expires_at: data.expires_at,
    });
    expect(oldest).toMatchObject({ current: true, device: null });
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
    const open = async () =>
      (await sessions.open(sessions.draw().token, { wallet, signIn: 'sentence' })).token;
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

test('expired sessions are removed, live ones stay', async () => {
  const [gone, live] = [await site.login(), await site.login()];
  await age(gone.wallet.address, '25 hours');
  await openOwn().sweep();
  expect(await rowsOf(gone.wallet.address)).toEqual([]);
  expect(await rowsOf(live.wallet.address)).toHaveLength(1);
});
