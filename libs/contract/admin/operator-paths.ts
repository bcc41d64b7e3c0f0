import type { AdminPath } from './paths.ts';

/** Who may act as an operator. */
export const operatorPaths = {
  operators: { method: 'GET', path: '/admin/operators', role: 'admin' },
  addOperator: { method: 'POST', path: '/admin/operators', role: 'admin' },
  changeRole: { method: 'PUT', path: '/admin/operators/:operator/role', role: 'admin' },
  revokeOperator: { method: 'POST', path: '/admin/operators/:operator/revoke', role: 'admin' },
} as const satisfies Record<string, AdminPath>;
