import type { Me } from '@reelbook/contract/admin/session';
import { assert } from '@reelbook/ledger/assert';
import type { Admin, AdminRequest } from '../context.ts';

/** The signed-in operator and role. */
export function readMe({ settings }: Admin, { session, operator, role }: AdminRequest<'me'>): Me {
  assert(session, 'its route admits sessions only');
  return { operator, role, expires_at: session.expiresAt, local_chain: settings.localChain };
}
