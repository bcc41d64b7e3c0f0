import type { OperatorSession } from '@reelbook/contract/admin/session';
import { deviceStorage, type TextStorage, readJson } from '@reelbook/web/storage';
import { createStore } from '@reelbook/web/store';

const KEY = 'operator_session';

/** The operator who is signed in, kept so that a reload and a second tab stay signed in. */
function createSessionStore(storage: TextStorage) {
  const store = createStore<OperatorSession | null>(readJson(storage, KEY, isSession));
  return {
    get: store.get,
    subscribe: store.subscribe,
    signIn(session: OperatorSession) {
      storage.set(KEY, JSON.stringify(session));
      store.set(session);
    },
    clear() {
      storage.remove(KEY);
      store.set(null);
    },
    /** Another tab signed in or out: read again. */
    reread() {
      const kept = readJson(storage, KEY, isSession);
      if (kept?.token !== store.get()?.token) store.set(kept);
    },
  };
}

function isSession(value: unknown): value is OperatorSession {
  return typeof value === 'object' && value !== null && 'token' in value && 'role' in value;
}

export const session = createSessionStore(deviceStorage);
