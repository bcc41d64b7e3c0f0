import { ApiError } from '@reelbook/contract/client';
import { createStore } from '@reelbook/web/store';
import { isTransient } from '@reelbook/web/use-command';
import { api } from '../../lib/api.ts';
import { balances, balancesOld } from '../../lib/balances-store.ts';
import { PLAYER_DATA, PROTECTION, queryClient } from '../../lib/queries.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { session } from '../../lib/session-store.ts';
import { unread } from '../../lib/unread.ts';

/** A token lives 24 h and is renewed in its second half; checked at this interval. */
const RENEW_WHEN_LEFT_MS = 12 * 3600_000;
const LOOK_EVERY_MS = 10 * 60_000;
/** After a lost response the old token gets the same new one, for 30 s. */
const RENEW_ATTEMPTS = 3;

/** Why the app failed to start; null if it did not. */
export const appError = createStore<unknown>(null);

/**
 * Checks the stored session against the server, then keeps it fresh, and follows other tabs. Resolves once it is known
 * whether a player is signed in. Called once, at the start.
 */
export async function keepSession(): Promise<void> {
  let before = session.get();
  session.subscribe(() => {
    const now = session.get();
    // The error was one of the session before.
    if (now?.token !== before?.token) appError.set(null);
    // Another tab may have signed in as another player.
    if (before && before.user.wallet_address !== now?.user.wallet_address) forgetPlayer();
    if (now !== null && now.token !== before?.token) {
      void loadBalances();
      chooseSeed(readSeeds());
    }
    before = now;
  });
  window.addEventListener('storage', () => session.reread());
  setInterval(() => void renew(), LOOK_EVERY_MS);
  await checkSession();
}

/** An unreachable server ends no session: the error is shown and the player may retry. */
export async function checkSession(): Promise<void> {
  const checked = session.get();
  if (!checked) return;
  try {
    const balancesLoaded = loadBalances();
    const seedsRead = readSeeds();
    session.updateUser(await api.call('profile'));
    appError.set(null);
    chooseSeed(seedsRead);
    await Promise.all([balancesLoaded, renew()]);
  } catch (error) {
    // Ended or replaced since then, for example by the 401 of another call.
    if (session.get()?.token !== checked.token) return;
    if (!isTransient(error)) return session.clear();
    balancesOld.set(true);
    appError.set(error);
  }
}

async function readSeeds() {
  const own = await import('../../lib/seeds.ts');
  await queryClient.prefetchQuery(own.seeds);
  return own;
}

/** Errors are shown before the next bet, which waits for the client seed. */
function chooseSeed(read: ReturnType<typeof readSeeds>): void {
  read.then(({ ensureOwnSeed }) => ensureOwnSeed()).catch(() => undefined);
}

/** On failure the balance stays, marked as old. */
async function loadBalances(): Promise<void> {
  try {
    balances.accept(await api.call('balance'));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    balancesOld.set(true);
  }
}

async function renew(attempts = RENEW_ATTEMPTS): Promise<void> {
  const expiresAt = session.reread()?.expiresAt;
  if (!expiresAt || Date.parse(expiresAt) - serverNowMs() > RENEW_WHEN_LEFT_MS) return;
  try {
    session.signIn(await api.call('refresh'));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // An invalid token has ended the session already.
    if (isTransient(error) && attempts > 1) await renew(attempts - 1);
  }
}

/** Drops all data of the player who was signed in. */
export function forgetPlayer(): void {
  balances.reset();
  unread.reset();
  queryClient.removeQueries({ queryKey: [PLAYER_DATA] });
  queryClient.removeQueries({ queryKey: [PROTECTION] });
}
