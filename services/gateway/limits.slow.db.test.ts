import { openLog } from '@reelbook/runtime/log';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet, type TestWallet } from '@reelbook/testing/wallets';
import type { FastifyRequest } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  DEAD_TOKENS_PER_ADDRESS,
  FAILED_LOGINS_PER_ADDRESS,
  openLimits,
  PUBLIC_PER_ADDRESS,
  SOCKETS_PER_ADDRESS,
} from './limits.ts';
import { openSessions } from './sessions.ts';

const FIRST_LOGINS = 3;
const log = openLog({ name: 'test', level: 'silent' });

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ trustProxy: ['loopback'], firstLoginsPerHour: FIRST_LOGINS });
});
afterAll(() => site.close());
/** All calls of a test belong to one window of a minute, however long they take. */
const stopWindows = () => vi.spyOn(performance, 'now').mockReturnValue(performance.now());
afterEach(() => void vi.restoreAllMocks());

async function login(from: string, body: object) {
  const response = await fetch(`${site.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  });
  const { data } = (await response.json()) as { data: { error?: string } };
  const retryAfterS = Number(response.headers.get('retry-after'));
  return { status: response.status, error: data.error, retryAfterS };
}

let timeMs = Date.now();
/** Each with its own time, so that no message is used twice. */
const enter = (from: string, wallet: TestWallet) => login(from, wallet.login(timeMs++));

describe('first logins', () => {
  const sizes = async () => {
    const tables = ['events', 'server_seeds', 'idempotency_keys', 'sessions'];
    const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
    return (await site.pool.query(`select ${counts.join(', ')}`)).rows[0];
  };

  test('are bounded per address, before anything is written', async () => {
    const from = '192.0.2.1';
    const known = createWallet();
    expect(await enter(from, known)).toMatchObject({ status: 200 });
    // At the same time, several of them twice.
    const wallets = Array.from({ length: 20 }, () => createWallet());
    const answers = await Promise.all(
      wallets.flatMap((wallet) => [enter(from, wallet), enter(from, wallet)]),
    );
    const registered = wallets.filter((_, n) => answers[2 * n]?.status === 200);
    expect(registered).toHaveLength(FIRST_LOGINS - 1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2 * (FIRST_LOGINS - 1));
    const before = await sizes();
    const refused = await enter(from, createWallet());
    expect(refused).toMatchObject({ status: 429, error: 'too-many-new-players' });
    expect(refused.retryAfterS).toBeGreaterThan(3_000);
    expect(await sizes()).toEqual(before);
    expect((await enter(from, known)).status).toBe(200);
    expect((await enter('192.0.2.2', createWallet())).status).toBe(200);
  });

  test('of an IPv6 network count together', async () => {
    const statuses = [];
    for (let n = 0; n <= FIRST_LOGINS; n++) {
      statuses.push((await enter(`2001:db8::${n}:1`, createWallet())).status);
    }
    expect(statuses).toEqual([...Array(FIRST_LOGINS).fill(200), 429]);
  });
});

test('junk logins that name a wallet are limited, and do not refuse its own logins', async () => {
  const [victim, thief] = [createWallet(), createWallet()];
  const from = '198.51.100.1';
  expect((await enter(from, victim)).status).toBe(200);
  stopWindows();
  const used = victim.login(timeMs++);
  expect((await login(from, used)).status).toBe(200);
  const statuses = new Map<number, number>();
  const attempts = Array.from({ length: FAILED_LOGINS_PER_ADDRESS + 1 }, async (_, n) => {
    const forged = { ...thief.login(timeMs++), wallet_address: victim.address };
    // A signed message that an attacker has seen is valid, but used.
    const { status } = await login(from, n % 2 === 0 ? forged : used);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  await Promise.all(attempts);
  const half = FAILED_LOGINS_PER_ADDRESS / 2;
  expect(statuses.get(429)).toBe(1);
  expect([half, half + 1]).toContain(statuses.get(400));
  expect([half, half - 1]).toContain(statuses.get(409));
  expect((await enter(from, victim)).status).toBe(200);
  expect((await enter('198.51.100.2', victim)).status).toBe(200);
});

test('a stolen session that uses up the calls of the player cannot prevent its own end', async () => {
  const wallet = createWallet();
  const [first, stolen] = [await site.login(wallet), await site.login(wallet)];
  stopWindows();
  const from = async (address: string, path: string, token: string, method = 'POST') => {
    const response = await fetch(`${site.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    });
    await response.arrayBuffer();
    return response.status;
  };
  /** Until one is refused. A busy database answers some with a 503, before they are counted. */
  const flood = async (path: string) => {
    let isRefused = false;
    const sendAll = async () => {
      while (!isRefused) {
        const status = await from('198.51.100.3', path, stolen.token);
        isRefused ||= status === 429;
      }
    };
    await Promise.all(Array.from({ length: 50 }, sendAll));
  };
  // Calls without the required body are refused after they are counted.
  await flood('/user/protection/exclusion');
  expect(await from('198.51.100.4', '/user/profile', first.token, 'GET')).toBe(429);
  // The thief also uses up the calls that list sessions.
  await flood('/user/sessions/none/end');
  const sessions = '/user/sessions';
  expect(await from('198.51.100.4', sessions, first.token, 'GET')).toBe(200);
  expect(await from('198.51.100.4', sessions, stolen.token, 'GET')).toBe(200);
  const third = await site.login(wallet);
  expect(await from('198.51.100.3', '/auth/logout', third.token)).toBe(200);
  expect(await from('198.51.100.4', '/auth/logout-all', first.token)).toBe(200);
  // A gateway keeps a session for a moment, by the same clock.
  vi.restoreAllMocks();
  await expect
    .poll(() => from('198.51.100.3', '/user/profile', stolen.token, 'GET'), WAIT)
    .toBe(401);
});

test('junk calls of an address refuse no session', async () => {
  const sessions = openSessions({ pool: site.pool, key: site.sessionKey, log });
  const limits = openLimits({ sessions });
  const wallet = createWallet();
  const { token } = await site.login(wallet);
  stopWindows();
  const request = (ip: string, bearer = '') =>
    ({
      ip,
      headers: { authorization: `Bearer ${bearer}` },
      query: { token: bearer },
    }) as unknown as FastifyRequest;
  const [here, there] = ['2001:db8::1', '2001:db8:0:1::1'];
  for (let n = 0; n < DEAD_TOKENS_PER_ADDRESS; n++) limits.playerCall(request(here), null);
  expect(() => limits.playerCall(request(here), null)).toThrow('too-many-requests');
  limits.playerCall(request(here), wallet.address);
  limits.playerCall(request(there), null);
  for (const [limit, max] of [
    [limits.publicCall, PUBLIC_PER_ADDRESS],
    [limits.socket, SOCKETS_PER_ADDRESS],
  ] as const) {
    for (let n = 0; n < max; n++) await limit(request(here));
    await expect(limit(request(here))).rejects.toThrow('too-many-requests');
    await expect(limit(request(here, 'x'.repeat(43)))).rejects.toThrow('too-many-requests');
    await limit(request(here, token));
    await limit(request(there));
  }
});
