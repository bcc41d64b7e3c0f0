import type { Me } from '@reelbook/contract/admin/session';
import { Refused } from '@reelbook/http/refused';
import type { Admin, AdminRequest } from '../context.ts';

/** The signed-in operator and role. */
export async function readMe(
  { sessions, settings }: Admin,
  { token, operator, role }: AdminRequest<'me'>,
): Promise<Me> {
  const session = await sessions.find(token);
  // The session ended after the guard.
  if (!session) throw new Refused({ failed: 'session-dead' });
  return { operator, role, expires_at: session.expiresAt, local_chain: settings.localChain };
}
