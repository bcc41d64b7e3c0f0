// @vitest-environment happy-dom

import { WAIT } from '@reelbook/testing/wait';
import type { BrowserWallet } from '@reelbook/web/wallets/browser-wallet';
import { forgetWallet, keepWallet, keptWallet } from '@reelbook/web/wallets/wallets';
import { afterEach, expect, test, vi } from 'vitest';
import { session } from '../../lib/session-store.ts';
import { signOut } from './sign-in.ts';

const NAME = 'Solflare';

/** What the test answers, or leaves without an answer. */
const open: { disconnect?: () => void } = {};
const wallet = {
  connect: () => Promise.resolve(true),
  signMessage: () => Promise.resolve(new Uint8Array(64)),
  disconnect: () =>
    new Promise<void>((resolve) => {
      open.disconnect = resolve;
    }),
};

function signedIn(token: string): void {
  keepWallet({ name: NAME } as BrowserWallet);
  session.signIn({ token, expires_at: '', user: { wallet_address: 'me' } as never });
}

afterEach(() => {
  vi.unstubAllGlobals();
  session.clear();
  forgetWallet();
});

test('a wallet that signed in again is kept, whatever a sign-out before waits for', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    sent.push(path);
    return new Promise(() => {});
  });
  vi.stubGlobal('solflare', wallet);
  signedIn('first');
  const left = signOut();
  expect([session.get(), sent]).toEqual([null, ['/api/v1/auth/logout']]);
  await vi.waitFor(() => expect(keptWallet()).toBeNull(), WAIT);
  await vi.waitFor(() => expect(open.disconnect).toBeDefined(), WAIT);
  signedIn('second');
  open.disconnect?.();
  await left;
  expect(keptWallet()?.name).toBe(NAME);
});
