import { tabStorage } from '@reelbook/web/storage';
import { createStore } from '@reelbook/web/store';
import { isTransient } from '@reelbook/web/use-command';
import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/queries.ts';
import { toastRefusal } from '../../lib/refusal-text.ts';
import { session } from '../../lib/session-store.ts';

const LINK = /^#link=([\w-]{1,100})$/;
/** In the storage of the tab: the page that was asked for before the sign-in. */
const ASKED_KEY = 'asked_page';

/** The error of a one-time link; null without one. */
export const linkFault = createStore<unknown>(null);

/** Signs in by a one-time link in the URL, or else checks the stored session. Called once, at the start. */
export async function keepSession(): Promise<void> {
  let token = session.get()?.token ?? null;
  session.subscribe(() => {
    const now = session.get()?.token ?? null;
    if (now !== token) queryClient.clear();
    if (now === null) rememberPage();
    token = now;
  });
  window.addEventListener('storage', () => session.reread());
  // A link pasted into an open tab changes only the fragment.
  window.addEventListener('hashchange', () => void signInByLink());
  if (!(await signInByLink())) await checkSession();
  if (session.get() === null) rememberPage();
}

/** Remembers the page in the URL for the next sign-in, because the URL of a one-time link has no page. */
function rememberPage(): void {
  if (location.pathname !== '/') tabStorage.set(ASKED_KEY, location.pathname + location.search);
}

/**
 * Signs in by the link in the URL, and opens the page that was asked for before. The link is removed from the URL first: it
 * works once, and must not stay in the history.
 * @returns whether a link signed in
 */
async function signInByLink(): Promise<boolean> {
  const link = LINK.exec(location.hash)?.[1];
  if (link === undefined) return false;
  const asked = location.pathname === '/' ? tabStorage.get(ASKED_KEY) : null;
  history.replaceState(null, '', asked ?? location.pathname + location.search);
  window.dispatchEvent(new PopStateEvent('popstate'));
  try {
    session.signIn(await api.call('signInByLink', { body: { link } }));
    linkFault.set(null);
    tabStorage.remove(ASKED_KEY);
    return true;
  } catch (error) {
    if (session.get() === null) linkFault.set(error);
    else toastRefusal(error);
    return false;
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

/** Ends all sessions of the operator. After an error, this one stays. */
export async function signOutAll(): Promise<void> {
  try {
    await api.call('signOutAll');
    session.clear();
  } catch (error) {
    toastRefusal(error);
  }
}

/** Ends the session in this browser, and on the server if it is reachable. */
export async function signOut(): Promise<void> {
  const ended = api.call('signOut').catch(() => undefined);
  session.clear();
  await ended;
}
