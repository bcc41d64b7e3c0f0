import { signInInput, signInText } from '@reelbook/contract/login';
import type { SignInPolicy } from '@reelbook/contract/player/session';
import { readStream } from '@reelbook/event-store/read-stream';
import { playerStream } from '@reelbook/ledger/streams';
import { call } from '@reelbook/simulator/client/api';
import { openSocket, startSite, type TestSite } from '@reelbook/simulator/stages/site';
import {
  createWallet,
  type SignedLogin,
  TEST_ORIGIN,
  type TestWallet,
} from '@reelbook/testing/wallets';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

let site: TestSite;
let second: string;
beforeAll(async () => {
  site = await startSite();
  ({ url: second } = await site.addGateway());
});
afterAll(() => site.close());

const POLICY = '/user/sign-in-policy';
const only = (on: boolean) => ({ body: { wallet_checked_only: on } });

const login = (body: SignedLogin, url = site.url) =>
  call<{ token: string; error?: string }>(url, '/auth/login', { body });

async function tokenOf(body: SignedLogin): Promise<string> {
  const { status, message, data } = await login(body);
  expect([status, message]).toEqual([200, 'success']);
  return data.token;
}

async function eventsOf(wallet: TestWallet) {
  const stream = playerStream(wallet.address);
  const events = await readStream(site.pool, { stream, fromVersion: 1, limit: 1_000 });
  return events.map(({ event }) => event);
}

describe('Sign-In With Solana', () => {
  test('opens a session, and the ledger records how', async () => {
    const wallet = createWallet();
    const token = await tokenOf(wallet.checkedLogin(Date.now()));
    expect(await site.call(POLICY, { token })).toMatchObject({
      data: { wallet_checked_only: false, wallet_checked: true },
    });
    await tokenOf(wallet.login(Date.now()));
    const started = (await eventsOf(wallet)).filter(({ type }) => type === 'SessionStarted');
    expect(started.map(({ data }) => (data as { signIn?: string }).signIn)).toEqual([
      'siws',
      'sentence',
    ]);
  });

  test('works once, at all gateways together', async () => {
    const wallet = createWallet();
    const body = wallet.checkedLogin(Date.now());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => login(body, index % 2 ? second : site.url)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    for (const url of [site.url, second]) {
      expect(await login(body, url)).toMatchObject({ data: { error: 'login-used' } });
    }
  });

  test('of another site, statement, wallet, time or signature changes nothing', async () => {
    const [wallet, thief] = [createWallet(), createWallet()];
    const now = Date.now();
    const genuine = wallet.checkedLogin(now);
    const input = signInInput({ origin: TEST_ORIGIN, timeMs: now, nonce: 'a1b2c3d4e5f6' });
    const signed = (changed: Partial<typeof input>, signer = wallet): SignedLogin => {
      const message = signInText(wallet.address, { ...input, ...changed });
      return { wallet_address: wallet.address, message, signature: signer.sign(message) };
    };
    const withLine = `${genuine.message}\nResources:`;
    const cases: readonly (readonly [SignedLogin, string])[] = [
      [wallet.checkedLogin(now, 'https://play.reelbook.evil'), 'login-other-origin'],
      [signed({ domain: 'play.reelbook.evil' }), 'login-other-origin'],
      [signed({ uri: 'https://play.reelbook.evil' }), 'login-other-origin'],
      [signed({ statement: 'Pay 5 SOL.' }), 'login-invalid'],
      [signed({}, thief), 'login-invalid'],
      [{ ...genuine, wallet_address: thief.address }, 'login-invalid'],
      [{ ...genuine, message: withLine, signature: wallet.sign(withLine) }, 'login-invalid'],
      [{ ...genuine, message: genuine.message.replace('Nonce: ', 'Nonce: 0') }, 'login-invalid'],
      [wallet.checkedLogin(now - 6 * 60_000), 'login-too-old'],
      [wallet.checkedLogin(now + 2 * 60_000), 'login-in-future'],
    ];
    for (const [body, error] of cases) {
      expect(await login(body)).toMatchObject({ status: 400, data: { error } });
    }
    expect(await eventsOf(wallet)).toEqual([]);
    await tokenOf(genuine);
  });
});

describe('a player who accepts only sign-ins that the wallet checks', () => {
  test('ends the sessions of plain sentences, and is refused a new one at every gateway', async () => {
    const wallet = createWallet();
    const plain = await tokenOf(wallet.login(Date.now()));
    const checked = await tokenOf(wallet.checkedLogin(Date.now()));
    const socket = await openSocket(site.url, plain);
    await socket.receive('subscribed');
    const set = await site.call<SignInPolicy>(POLICY, { token: checked, ...only(true) });
    expect(set).toMatchObject({
      status: 200,
      data: { wallet_checked_only: true, wallet_checked: true },
    });
    expect(await socket.closed).toBe(4401);
    for (const url of [site.url, second]) {
      await expect
        .poll(async () => (await call(url, '/user/balance', { token: plain })).status)
        .toBe(401);
      expect((await call(url, '/user/balance', { token: checked })).status).toBe(200);
      const body = wallet.login(Date.now());
      const refused = { status: 403, data: { error: 'login-unchecked' } };
      expect(await login(body, url)).toMatchObject(refused);
      expect(await login(body, url)).toMatchObject(refused);
    }
    const types = (await eventsOf(wallet)).map(({ type }) => type);
    expect(types.filter((type) => type === 'SessionStarted')).toHaveLength(2);
    expect(types.at(-1)).toBe('SignInPolicySet');
    await tokenOf(wallet.checkedLogin(Date.now()));
  });

  test('can accept all again; an unchanged choice writes nothing', async () => {
    const wallet = createWallet();
    const token = await tokenOf(wallet.checkedLogin(Date.now()));
    for (const on of [false, true, true, false]) {
      expect(await site.call(POLICY, { token, ...only(on) })).toMatchObject({
        status: 200,
        data: { wallet_checked_only: on },
      });
    }
    const set = (await eventsOf(wallet)).filter(({ type }) => type === 'SignInPolicySet');
    expect(set.map(({ data }) => data)).toEqual([
      { walletCheckedOnly: true, budgetMs: expect.any(Number) },
      { walletCheckedOnly: false, budgetMs: expect.any(Number) },
    ]);
    await tokenOf(wallet.login(Date.now()));
  });

  test('cannot choose in a session of a plain sentence, nor in one refreshed from it', async () => {
    const wallet = createWallet();
    const plain = await tokenOf(wallet.login(Date.now()));
    const { data } = await site.call<{ token: string }>('/user/refresh', { token: plain });
    for (const token of [plain, data.token]) {
      for (const on of [true, false]) {
        expect(await site.call(POLICY, { token, ...only(on) })).toMatchObject({
          status: 403,
          data: { error: 'sign-in-policy-locked' },
        });
      }
      expect((await site.call('/user/balance', { token })).status).toBe(200);
    }
    expect((await eventsOf(wallet)).map(({ type }) => type)).not.toContain('SignInPolicySet');
  });

  test('has no plain session left that was being opened meanwhile', async () => {
    const wallet = createWallet();
    const token = await tokenOf(wallet.checkedLogin(Date.now()));
    const [reached, release] = holdOpening();
    const plain = login(wallet.login(Date.now()), second);
    await reached;
    expect((await site.call(POLICY, { token, ...only(true) })).status).toBe(200);
    release();
    expect(await plain).toMatchObject({ status: 403, data: { error: 'login-unchecked' } });
    const { rows } = await site.pool.query<{ sign_in: string }>(
      'select sign_in from sessions where wallet = $1',
      [wallet.address],
    );
    expect(rows).toEqual([{ sign_in: 'siws' }]);
  });
});

/** Holds the next session between its event and its row. Returns when one is there, and the release. */
function holdOpening(): readonly [reached: Promise<void>, release: () => void] {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const query = site.pool.query.bind(site.pool) as (...args: unknown[]) => Promise<unknown>;
  const reached = new Promise<void>((resolve) => {
    const held = vi.spyOn(site.pool, 'query').mockImplementation((async (...args: unknown[]) => {
      if ((args[0] as { name?: string }).name === 'open-session') {
        held.mockRestore();
        resolve();
        await released;
      }
      return query(...args);
    }) as never);
  });
  return [reached, () => release()];
}
