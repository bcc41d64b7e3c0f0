import type { AdminPath } from './paths.ts';

/** What changes nothing. */
export const readPaths = {
  me: { method: 'GET', path: '/admin/me', role: 'viewer' },
} as const satisfies Record<string, AdminPath>;
