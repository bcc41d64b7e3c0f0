import { loginMessage, signInInput } from '@reelbook/contract/login';
import { randomKey } from '@reelbook/web/storage';
import type { BrowserWallet } from '@reelbook/web/wallets/browser-wallet';
import { api } from '../../lib/api.ts';
import { queryClient, systemConfig } from '../../lib/queries.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { session } from '../../lib/session-store.ts';
import { forgetPlayer } from './keep-session.ts';

/**
 * Connects the wallet, signs the login message and opens a session, unless the player cancels. A wallet with
 * `solana:signIn` checks this page. Throws WalletError, OtherSiteError or ApiError.
 */
export async function signIn(wallet: BrowserWallet, signal: AbortSignal): Promise<void> {
  const [{ assertOwnPage, connectAndSign, signInWith }, { keepWallet }, site] = await Promise.all([
    import('@reelbook/web/wallets/browser-wallet'),
    import('@reelbook/web/wallets/wallets'),
    queryClient.fetchQuery(systemConfig),
  ]);
  assertOwnPage(site.origin);
  signal.throwIfAborted();
  const now = { origin: location.origin, timeMs: serverNowMs() };
  const plain = loginMessage(now.timeMs, site.login_sentence);
  const { address, signature, message } = wallet.signIn
    ? await signInWith(wallet.signIn, signInInput({ ...now, nonce: randomKey() }))
    : { ...(await connectAndSign(wallet, plain)), message: plain };
  signal.throwIfAborted();
  const login = await api.call('login', {
    body: { wallet_address: address, signature, message },
    signal,
  });
  if (typeof login?.token !== 'string' || !login.user) {
    throw new Error('the login returned no session');
  }
  forgetPlayer();
  keepWallet(wallet);
  session.signIn(login);
}

/** Ends the session here immediately, and at the server if it can be reached. */
export async function signOut(): Promise<void> {
  api.call('logout').catch(() => undefined);
  session.clear();
  await leaveWallet();
}

/** Ends all sessions of the player, this one included. Rejects if the server did not. */
export async function signOutEverywhere(): Promise<void> {
  await api.call('logoutAll');
  session.clear();
  await leaveWallet();
}

/** It is forgotten before it answers: by then the player may have signed in again. */
async function leaveWallet(): Promise<void> {
  const { forgetWallet, keptWallet } = await import('@reelbook/web/wallets/wallets');
  const left = keptWallet();
  forgetWallet();
  await left?.disconnect().catch(() => undefined);
}
