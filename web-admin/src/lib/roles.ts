import { mayAct, type Role } from '@reelbook/ledger/operators/roles';
import { useStore } from '@reelbook/web/store';
import { session } from './session-store.ts';

/** Whether who is signed in may do what needs a role. The server decides; the page only hides what it would refuse. */
export function useMay(): (least: Role) => boolean {
  const role = useStore(session)?.role;
  return (least) => role !== undefined && mayAct(role, least);
}
