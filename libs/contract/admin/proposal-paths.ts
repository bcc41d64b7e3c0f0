import type { AdminPath } from './path.ts';

/** What two have to want: seen by all, stopped by any operator. */
export const proposalPaths = {
  proposals: { method: 'GET', path: '/proposals', role: 'viewer' },
  confirmProposal: {
    method: 'POST',
    path: '/proposals/:subject/:number/confirm',
    role: 'operator',
  },
  withdrawProposal: {
    method: 'POST',
    path: '/proposals/:subject/:number/withdraw',
    role: 'operator',
  },
} as const satisfies Record<string, AdminPath>;
