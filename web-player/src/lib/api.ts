import { ApiError, hasShape, type Shape, TIMEOUT_MS } from '@reelbook/contract/client';
import { createClient } from '@reelbook/contract/player/client';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { compareClocks } from './server-clock.ts';
import { session } from './session-store.ts';

/** The player API with this browser's session; an invalid session is cleared immediately. */
export const api = createClient({
  origin: '',
  token: () => session.reread()?.token ?? null,
  owner: () => session.get()?.user.wallet_address ?? null,
  onSessionDead: endSession,
  onDate: compareClocks,
  // Their callers check the response themselves and have their own messages.
  unchecked: ['login', 'exchange'],
});

/** The server no longer accepts the session: clear it and show a message. */
export function endSession(): void {
  session.clear();
  // During the start there are no texts yet; the page then shows that no player is signed in.
  if (i18next.isInitialized) toast(i18next.t('header.ended'));
}

/** A public response outside /api/v1, without envelope, of the given shape. Throws ApiError. */
export async function readPlain<T>(path: string, shape: Shape): Promise<T> {
  const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new ApiError(response.status, response.statusText, null);
  const body: unknown = await response.json();
  if (!hasShape(shape, body)) throw new ApiError(response.status, 'API Error', null);
  return body as T;
}
