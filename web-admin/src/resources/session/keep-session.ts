import { isTransient } from '@reelbook/web/api-errors';
import { createStore } from '@reelbook/web/store';
import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';

const LINK = /^#link=([\w-]{1,100})$/;

/** The error of a one-time link; null without one. */
export const linkFault = createStore<unknown>(null);

/** Signs in by a one-time link in the URL, or else checks the stored session. Called once, at the start. */
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
  else await signInByLink(link);
}

/** Removes the link from the URL first: it works once, and must not stay in the history. */
async function signInByLink(link: string): Promise<void> {
  history.replaceState(null, '', location.pathname + location.search);
  try {
    session.signIn(await api.call('signInByLink', { body: { link } }));
  } catch (error) {
    session.clear();
    linkFault.set(error);
  }
}

/** Reads the current role. An unreachable server does not end the session. */
async function checkSession(): Promise<void> {
  const stored = session.get();
  if (!stored) return;
  try {
    const { operator, role, expires_at } = await api.call('me');
    session.signIn({ token: stored.token, operator, role, expires_at });
  } catch (error) {
    if (!isTransient(error)) session.clear();
  }
}

/** Ends the session in this browser, and on the server if it is reachable. */
export async function signOut(): Promise<void> {
  const ended = api.call('signOut').catch(() => undefined);
  session.clear();
  await ended;
}
