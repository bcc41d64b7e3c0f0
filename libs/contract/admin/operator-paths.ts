import type { AdminPath } from './path.ts';

/** Who may act as an operator. */
export const operatorPaths = {
  operators: { method: 'GET', path: '/operators', role: 'admin' },
  addOperator: { method: 'POST', path: '/operators', role: 'admin' },
  changeRole: { method: 'PUT', path: '/operators/:operator/role', role: 'admin' },
  revokeOperator: { method: 'POST', path: '/operators/:operator/revoke', role: 'admin' },
} as const satisfies Record<string, AdminPath>;
