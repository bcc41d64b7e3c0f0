import { API_BASE } from '../paths.ts';
import { actPaths } from './act-paths.ts';
import { operatorPaths } from './operator-paths.ts';
import type { AdminPath } from './path.ts';
import { proposalPaths } from './proposal-paths.ts';
import { readPaths } from './reads/paths.ts';

/** Where the operators' API stands, on ADMIN_PORT. */
export const ADMIN_BASE = `${API_BASE}/admin`;

/** Every call of the operators' API. Plain data, so that the browser's client does not load the schemas. */
export const adminPaths = {
  signIn: { method: 'POST', path: '/auth/sign-in', role: null },
  signInByLink: { method: 'POST', path: '/auth/link', role: null },
  signOut: { method: 'POST', path: '/auth/sign-out', role: 'viewer' },
  me: { method: 'GET', path: '/me', role: 'viewer' },
  ...operatorPaths,
  ...actPaths,
  ...proposalPaths,
  ...readPaths,
} as const satisfies Record<string, AdminPath>;

export type AdminRouteName = keyof typeof adminPaths;
