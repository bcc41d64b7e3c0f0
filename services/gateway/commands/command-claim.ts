/** What a player's idempotency key claims, once for all commands that take one. */
export function commandClaim(wallet: string, key: string): string {
  return `command:player:${wallet}:${key}`;
}

/** The same where the key is optional. */
export function optionalClaim(wallet: string, key: string | undefined): string | null {
  return key === undefined ? null : commandClaim(wallet, key);
}
