import type { Role } from '@reelbook/ledger/operators/roles';
import { operatorPaths } from './operator-paths.ts';
import { readPaths } from './read-paths.ts';

/**
 * Every call of the operators' API, under API_BASE on ADMIN_PORT. Plain data, so that the browser's client does not load
 * the schemas. `role` is the least that may; null is everybody: only what comes before a session is.
 */
export interface AdminPath {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: `/admin/${string}`;
  readonly role: Role | null;
}

export const adminPaths = {
  signIn: { method: 'POST', path: '/admin/auth/sign-in', role: null },
  signInByLink: { method: 'POST', path: '/admin/auth/link', role: null },
  signOut: { method: 'POST', path: '/admin/auth/sign-out', role: 'viewer' },
  ...operatorPaths,
  ...readPaths,
} as const satisfies Record<string, AdminPath>;

export type AdminRouteName = keyof typeof adminPaths;
