import type { CommandOutcome } from '@reelbook/contract/player/profile';
import { isTransient } from '@reelbook/web/use-command';
import { api } from './api.ts';
import { balances } from './balances-store.ts';
import type { PendingCommand } from './pending-commands.ts';

/** `none`: the ledger does not have it so far. `offline`: the server does not respond. */
export type Checked = 'checking' | 'none' | 'offline';

/** Then every `PAUSE_MAX_MS`. */
const PAUSES_MS = [0, 1_000, 2_000, 4_000];
const PAUSE_MAX_MS = 8_000;
/** Twice the timeout of a call. A command that the ledger does not have by then came too late: it is discarded. */
const SENDING_MS = 20_000;

interface Asking {
  readonly signal: AbortSignal;
  onChecked(checked: Checked): void;
}

/**
 * Asks until there is an outcome: `ask` returns null while there is none. Asks again at once when the balances change.
 * Throws the server's refusals, and when `signal` is aborted.
 */
export async function askUntilKnown<Outcome>(
  ask: () => Promise<Outcome | null>,
  { signal, onChecked }: Asking,
  mayHelp = isTransient,
): Promise<Outcome> {
  for (let attempt = 0; ; attempt++) {
    await pause(PAUSES_MS[attempt] ?? PAUSE_MAX_MS);
    try {
      signal.throwIfAborted();
      const outcome = await ask();
      signal.throwIfAborted();
      if (outcome !== null) return outcome;
      onChecked('none');
    } catch (error) {
      if (signal.aborted || !mayHelp(error)) throw error;
      onChecked('offline');
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(wake, ms);
    const unsubscribe = balances.subscribe(wake);
  });
}

/**
 * Queries a command until the ledger has it, executed or discarded. Never sends the command itself; after `SENDING_MS` it
 * discards the key, so that a late request executes nothing. A refused query is no outcome, so it throws only when `signal` is
 * aborted.
 */
export function followCommand(
  { key, atMs }: Pick<PendingCommand, 'key' | 'atMs'>,
  asking: Asking,
): Promise<CommandOutcome> {
  const ask = async () => {
    const outcome = await api.call('command', { params: { key }, signal: asking.signal });
    if (outcome.status !== 'none') return outcome;
    return Date.now() - atMs >= SENDING_MS ? discardCommand(key) : null;
  };
  return askUntilKnown(ask, asking, () => true);
}

/** Makes sure that a command is never executed; if it was already, returns its outcome. */
export function discardCommand(key: string): Promise<CommandOutcome> {
  return api.call('discardCommand', { params: { key } });
}
