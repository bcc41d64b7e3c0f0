import type { OpenSession } from '@reelbook/contract/player/session';
import type { Gateway } from '../context.ts';
import type { LiveSession } from '../sessions.ts';

export async function readSessions(
  { sessions }: Pick<Gateway, 'sessions'>,
  { wallet, name }: LiveSession,
): Promise<OpenSession[]> {
  const listed = await sessions.list(wallet);
  return listed.map((one) => ({
    id: one.family,
    current: one.family === name,
    sign_in: one.signIn,
    started_at: one.startedAt,
    refreshed_at: one.refreshedAt,
    expires_at: one.expiresAt,
  }));
}
