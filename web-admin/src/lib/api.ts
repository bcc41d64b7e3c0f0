import { createAdminClient } from '@reelbook/contract/admin/client';
import { ApiError } from '@reelbook/contract/client';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { session } from './session-store.ts';

const TOO_MANY_REQUESTS = 429;
const REFUSALS_FROM = 400;
const SERVER_FAULTS_FROM = 500;

/** The operators' API with this browser's session; a dead session is forgotten at once. */
export const api = createAdminClient({
  origin: '',
  token: () => session.get()?.token ?? null,
  onSessionDead: endSession,
});

/** The server no longer knows the session: forget it, and say so. */
function endSession(): void {
  session.clear();
  if (i18next.isInitialized) toast(i18next.t('console:session.ended'));
}

/** Whether asking again may help: no answer came, or the server could not serve just now. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  const { code } = error;
  return code < REFUSALS_FROM || code === TOO_MANY_REQUESTS || code >= SERVER_FAULTS_FROM;
}
