import { ApiError, hasShape, type Shape, TIMEOUT_MS } from '@reelbook/contract/client';
import { createClient } from '@reelbook/contract/player/client';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { session } from './session-store.ts';

/** The player API with this browser's session; a dead session is forgotten at once. */
export const api = createClient({
  origin: '',
  token: () => session.get()?.token ?? null,
  owner: () => session.get()?.user.wallet_address ?? null,
  onSessionDead: endSession,
  // Their callers check the answer themselves and have their own messages.
  unchecked: ['login', 'exchange'],
});

/** The server no longer knows the session: forget it, and say so. */
export function endSession(): void {
  session.clear();
  // At the very start there are no texts yet; then the page itself shows that nobody is signed in.
  if (i18next.isInitialized) toast(i18next.t('header.ended'));
}

/** A public answer outside of /api/v1, without envelope, of that shape. Throws ApiError. */
export async function readPlain<T>(path: string, shape: Shape): Promise<T> {
  const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new ApiError(response.status, response.statusText, null);
  const answer: unknown = await response.json();
  if (!hasShape(shape, answer)) throw new ApiError(response.status, 'API Error', null);
  return answer as T;
}

/** The next bet waits until the player has looked at how long they have played. */
export function isRealityCheck(error: unknown): boolean {
  return error instanceof ApiError && error.data?.error === 'reality-check-due';
}
