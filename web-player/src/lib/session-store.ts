import type { Session as Login, User } from '@reelbook/contract/player/profile';
import { deviceStorage, readJson, type TextStorage } from '@reelbook/web/storage';
import { createStore } from '@reelbook/web/store';

const TOKEN_KEY = 'token';
const USER_KEY = 'user';
const EXPIRES_KEY = 'token_expires_at';

/** A signed-in player; `expiresAt` is ISO 8601, null when an older version of the app did not store it. */
export interface Session {
  token: string;
  user: User;
  expiresAt: string | null;
}

/**
 * The signed-in player, kept in `token` and `user` of the browser's storage so that a reload stays signed in. Both are
 * needed: an incomplete session counts as none and is cleared.
 */
export function createSessionStore(storage: TextStorage) {
  const first = read(storage);
  if (!first) remove();
  const store = createStore(first);

  function remove(): void {
    for (const key of [TOKEN_KEY, USER_KEY, EXPIRES_KEY]) storage.remove(key);
  }

  function keep(session: Session): void {
    storage.set(TOKEN_KEY, session.token);
    storage.set(USER_KEY, JSON.stringify(session.user));
    if (session.expiresAt) storage.set(EXPIRES_KEY, session.expiresAt);
    else storage.remove(EXPIRES_KEY);
    store.set(session);
  }

  /**
   * Another tab may have signed in or out, or refreshed the token: the use of an old token ends the session. The keys of
   * a session arrive one after the other: until all are there it counts as none, and is not cleared.
   */
  function reread(): Session | null {
    const known = store.get();
    if (storage.get(TOKEN_KEY) === (known?.token ?? null)) return known;
    store.set(read(storage));
    return store.get();
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    signIn: (login: Login) =>
      keep({ token: login.token, user: login.user, expiresAt: login.expires_at }),
    updateUser(user: User) {
      const session = reread();
      if (session) keep({ ...session, user });
    },
    clear() {
      remove();
      store.set(null);
    },
    reread,
  };
}

function read(storage: TextStorage): Session | null {
  const token = storage.get(TOKEN_KEY);
  const user = readJson(storage, USER_KEY, isUser);
  if (token && user) return { token, user, expiresAt: storage.get(EXPIRES_KEY) };
  return null;
}

function isUser(value: unknown): value is User {
  return typeof value === 'object' && value !== null && 'wallet_address' in value;
}

export const session = createSessionStore(deviceStorage);
