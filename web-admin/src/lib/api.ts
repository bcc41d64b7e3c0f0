import { createAdminClient } from '@reelbook/contract/admin/client';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { session } from './session-store.ts';

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
