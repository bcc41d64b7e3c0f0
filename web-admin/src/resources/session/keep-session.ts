import { isTransient } from '@reelbook/web/api-errors';
import { createStore } from '@reelbook/web/store';
import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';

const LINK = /^#link=([\w-]{1,100})$/;

/** Why a one-time link let nobody in; null when all is well. */
export const linkFault = createStore<unknown>(null);

/**
 * Spends a one-time link if the address carries one, else asks the server who the kept session is. Resolves once it is
 * known whether someone is signed in. Called once, at the start.
 */
export async function keepSession(): Promise<void> {
  let token = session.get()?.token ?? null;
  session.subscribe(() => {
    const now = session.get()?.token ?? null;
    if (now !== token) queryClient.clear();
    token = now;
  });
  window.addEventListener('storage', () => session.reread());
  const link = LINK.exec(location.hash)?.[1];
  if (link === undefined) await checkSession();
  else await spend(link);
}

/** The link leaves the address first: it works once, and nothing should keep it. */
async function spend(link: string): Promise<void> {
  history.replaceState(null, '', location.pathname + location.search);
  try {
    session.signIn(await api.call('signInByLink', { body: { link } }));
  } catch (error) {
    session.clear();
    linkFault.set(error);
  }
}

/** The role may have changed since; a server that cannot be reached ends no session. */
async function checkSession(): Promise<void> {
  const kept = session.get();
  if (!kept) return;
  try {
    const { operator, role, expires_at } = await api.call('me');
    session.signIn({ token: kept.token, operator, role, expires_at });
  } catch (error) {
    if (!isTransient(error)) session.clear();
  }
}

/** Ends the session here at once, and at the server as far as it can be reached. */
export async function signOut(): Promise<void> {
  const ended = api.call('signOut').catch(() => undefined);
  session.clear();
  await ended;
}
