// @vitest-environment happy-dom

import { WAIT } from '@reelbook/testing/wait';
import type { BrowserWallet } from '@reelbook/web/wallets/browser-wallet';
import { forgetWallet, keepWallet, keptWallet } from '@reelbook/web/wallets/wallets';
import { afterEach, expect, test, vi } from 'vitest';
import { session } from '../../lib/session-store.ts';
import { signOut } from './sign-in.ts';

const NAME = 'Wallet to leave';

/** What the test answers, or leaves without an answer. */
const open: { disconnect?: () => void } = {};
const wallet = {
  version: '1.0.0',
  name: NAME,
  icon: 'data:image/png;base64,AA==',
  chains: ['solana:mainnet'],
  accounts: [],
  features: {
    'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [] }) },
    'solana:signMessage': { version: '1.1.0', signMessage: async () => [] },
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: () =>
        new Promise<void>((resolve) => {
          open.disconnect = resolve;
        }),
    },
  },
};
// As a wallet's extension does when the page is ready.
window.addEventListener('wallet-standard:app-ready', (ready) =>
  (ready as CustomEvent).detail.register(wallet),
);

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
