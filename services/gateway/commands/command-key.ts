import { playerStream } from '@reelbook/ledger/streams';

/** What a player's idempotency key is called, once for all commands that take one. */
export function commandKey(wallet: string, key: string): string {
  return `${playerStream(wallet)}:command:${key}`;
}

/** The same where the key is optional. */
export function optionalCommandKey(wallet: string, key: string | undefined): string | null {
  return key === undefined ? null : commandKey(wallet, key);
}
