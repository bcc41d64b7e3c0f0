import { ApiError } from '@reelbook/contract/client';
import { isTransient } from '@reelbook/web/api-errors';
import { createStore } from '@reelbook/web/store';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { session } from '../../lib/session-store.ts';
import { forgetPlayer } from './sign-in.ts';

/** A token lives 24 h and is renewed in its second half; checked at this interval. */
const RENEW_WHEN_LEFT_MS = 12 * 3600_000;
const LOOK_EVERY_MS = 10 * 60_000;
/** After a lost response the old token gets the same new one, for 30 s. */
const RENEW_ATTEMPTS = 3;

/** Why the app failed to start: a text key, null if it did not. */
export const appError = createStore<'unreachable' | null>(null);

/**
 * Checks the stored session against the server, then keeps it fresh, and follows other tabs. Resolves once it is known
 * whether a player is signed in. Called once, at the start.
 */
export async function keepSession(): Promise<void> {
  let token = session.get()?.token ?? null;
  session.subscribe(() => {
    const now = session.get()?.token ?? null;
    if (now === null && token !== null) forgetPlayer();
    if (now !== null && now !== token) {
      void loadBalances();
      chooseSeed().catch(() => undefined);
    }
    token = now;
  });
  window.addEventListener('storage', () => session.reread());
  setInterval(() => void renew(), LOOK_EVERY_MS);
  await checkSession();
}

/** An unreachable server ends no session: the error is shown and the player may retry. */
export async function checkSession(): Promise<void> {
  if (!session.get()) return;
  try {
    session.updateUser(await api.call('profile'));
    appError.set(null);
    chooseSeed().catch(() => undefined);
    await Promise.all([loadBalances(), renew()]);
  } catch (error) {
    if (isTransient(error)) appError.set('unreachable');
    else session.clear();
  }
}

/** Errors are shown before the next bet, which waits for the client seed. */
async function chooseSeed(): Promise<void> {
  const { ensureOwnSeed } = await import('../../lib/seeds.ts');
  await ensureOwnSeed();
}

/** On failure the balance stays as it was. */
async function loadBalances(): Promise<void> {
  try {
    balances.accept(await api.call('balance'));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

async function renew(attempts = RENEW_ATTEMPTS): Promise<void> {
  const expiresAt = session.reread()?.expiresAt;
  if (!expiresAt || Date.parse(expiresAt) - Date.now() > RENEW_WHEN_LEFT_MS) return;
  try {
    session.signIn(await api.call('refresh'));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // An invalid token has ended the session already.
    if (isTransient(error) && attempts > 1) await renew(attempts - 1);
  }
}
