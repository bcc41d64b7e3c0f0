import { createAdminClient, createDryRunClient } from '@reelbook/contract/admin/client';
import { toast } from '@reelbook/web/toasts';
import { contactFetch } from './contact.ts';
import { session } from './session-store.ts';

/** Client of the admin API with this browser's session. An expired session is removed immediately. */
const options = {
  origin: '',
  token: () => session.get()?.token ?? null,
  onSessionDead: endSession,
  fetch: contactFetch,
};
export const api = createAdminClient(options);
/** Dry runs of the actions. */
export const dryRuns = createDryRunClient(options);

/** The server no longer knows the session: removes it and shows a message. */
function endSession(): void {
  session.clear();
  toast('Your session has ended. Sign in again.');
}
