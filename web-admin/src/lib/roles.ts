import { mayAct, type Role } from '@reelbook/ledger/operators/roles';
import { useStore } from '@reelbook/web/store';
import type { PageName } from './paths.ts';
import { session } from './session-store.ts';

/** Pages that viewers may not open. */
const LEAST: Partial<Record<PageName, Role>> = { operators: 'admin' };

export const leastRoleOf = (page: PageName): Role => LEAST[page] ?? 'viewer';

/** Whether the signed-in operator has at least a role. The server decides; the page only hides what it would refuse. */
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
