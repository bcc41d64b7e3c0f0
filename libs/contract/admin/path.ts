import type { Role } from '@reelbook/ledger/operators/roles';

/** A call of the operators' API, under ADMIN_BASE. `role` is the least that may; null is everybody: only what comes before a session is. */
export interface AdminPath {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: `/${string}`;
  readonly role: Role | null;
}
