import type { OperatorSession } from '@reelbook/admin/answers';
import { mayAct, type Role } from '@reelbook/ledger/operators/roles';
import { deviceStorage, readJson, type TextStorage } from '@reelbook/web/storage';
import { createStore, useStore } from '@reelbook/web/store';

const KEY = 'operator_session';

/** The session of the signed-in operator, stored for reloads and other tabs. */
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
    /** After another tab signed in or out. */
    reread() {
      const stored = readJson(storage, KEY, isSession);
      if (stored?.token !== store.get()?.token) store.set(stored);
    },
  };
}

function isSession(value: unknown): value is OperatorSession {
  return typeof value === 'object' && value !== null && 'token' in value && 'role' in value;
}

export const session = createSessionStore(deviceStorage);

/** Whether the signed-in operator has at least a role. The server decides; the pages only hide what it would refuse. */
export function useMay(): (minimum: Role) => boolean {
  const role = useStore(session)?.role;
  return (minimum) => role !== undefined && mayAct(role, minimum);
}

export const ROLE_NAMES = {
  viewer: 'Viewer',
  auditor: 'Auditor',
  operator: 'Operator',
  admin: 'Admin',
};
