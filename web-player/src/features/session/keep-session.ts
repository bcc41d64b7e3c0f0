import { ApiError } from '@reelbook/contract/client';
import { isPassing } from '@reelbook/web/api-errors';
import { createStore } from '@reelbook/web/store';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { session } from '../../lib/session-store.ts';
import { forgetPlayer } from './sign-in.ts';

/** A token lives 24 h; past its half it is renewed, looked at this often. */
const RENEW_WHEN_LEFT_MS = 12 * 3600_000;
const LOOK_EVERY_MS = 10 * 60_000;

/** Why the app cannot go on as it should: the key of a text, null when all is well. */
export const appError = createStore<'unreachable' | null>(null);

/**
 * Checks the kept session against the server, then keeps it fresh, and follows what other tabs do.
 * Resolves once it is known whether someone is signed in. Called once, at the start.
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

/** A server that cannot be reached ends no session: the error is shown and the player may try again. */
export async function checkSession(): Promise<void> {
  if (!session.get()) return;
  try {
    session.updateUser(await api.call('profile'));
    appError.set(null);
    chooseSeed().catch(() => undefined);
    await Promise.all([loadBalances(), renew()]);
  } catch (error) {
    if (isPassing(error)) appError.set('unreachable');
    else session.clear();
  }
}

/** What keeps it from being set now is said where it matters: before a bet, which waits for it. */
async function chooseSeed(): Promise<void> {
  const { ensureOwnSeed } = await import('../../lib/seeds.ts');
  await ensureOwnSeed();
}

/** A balance that cannot be read now stays as it was. */
async function loadBalances(): Promise<void> {
  try {
    balances.accept(await api.call('balance'));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

async function renew(): Promise<void> {
  const expiresAt = session.get()?.expiresAt;
  if (!expiresAt || Date.parse(expiresAt) - Date.now() > RENEW_WHEN_LEFT_MS) return;
  try {
    session.signIn(await api.call('refresh'));
  } catch (error) {
    // The old token is still good for hours; a dead one has ended the session already.
    if (!(error instanceof ApiError)) throw error;
  }
}
