import type { CommandOutcome } from '@reelbook/contract/player/profile';
import { isTransient } from '@reelbook/web/api-errors';
import { api } from './api.ts';
import type { PendingCommand } from './pending-commands.ts';

/** `none`: the ledger does not have it so far. `offline`: the server does not respond. */
export type Checked = 'checking' | 'none' | 'offline';

/** Then every `PAUSE_MAX_MS`. */
const PAUSES_MS = [0, 1_000, 2_000, 4_000];
const PAUSE_MAX_MS = 8_000;
/** Twice the timeout of a call. A command that the ledger does not have by then came too late: it is discarded. */
const SENDING_MS = 20_000;

/**
 * Queries a command until the ledger has it, executed or discarded. Never sends the command itself; after `SENDING_MS` it
 * discards the key, so that a late request executes nothing. Throws the server's refusals, and when `signal` is aborted.
 */
export async function followCommand(
  { key, atMs }: Pick<PendingCommand, 'key' | 'atMs'>,
  options: { readonly signal: AbortSignal; onChecked(checked: Checked): void },
): Promise<CommandOutcome> {
  for (let attempt = 0; ; attempt++) {
    await new Promise((wake) => setTimeout(wake, PAUSES_MS[attempt] ?? PAUSE_MAX_MS));
    try {
      options.signal.throwIfAborted();
      const outcome = await api.call('command', { params: { key }, signal: options.signal });
      options.signal.throwIfAborted();
      if (outcome.status !== 'none') return outcome;
      if (Date.now() - atMs >= SENDING_MS) return await discardCommand(key);
      options.onChecked('none');
    } catch (error) {
      if (options.signal.aborted || !isTransient(error)) throw error;
      options.onChecked('offline');
    }
  }
}

/** Makes sure that a command is never executed; if it was already, returns its outcome. */
export function discardCommand(key: string): Promise<CommandOutcome> {
  return api.call('discardCommand', { params: { key } });
}
