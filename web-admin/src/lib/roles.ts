import { mayAct, type Role } from '@reelbook/ledger/operators/roles';
import { useStore } from '@reelbook/web/store';
import { session } from './session-store.ts';

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
