import { signInInput, signInText } from '@reelbook/contract/login';
import type { OpenSession } from '@reelbook/contract/player/profile';
import { readStream } from '@reelbook/event-store/read-stream';
import { playerStream } from '@reelbook/ledger/streams';
import { call } from '@reelbook/simulator/client/api';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import {
  createWallet,
  type SignedLogin,
  TEST_ORIGIN,
  type TestWallet,
} from '@reelbook/testing/wallets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let site: TestSite;
let second: string;
beforeAll(async () => {
  site = await startSite();
  ({ url: second } = await site.addGateway());
});
afterAll(() => site.close());

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
    expect((await site.call<OpenSession[]>('/user/sessions', { token })).data).toMatchObject([
      { current: true, sign_in: 'siws' },
    ]);
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
