/** What a player's idempotency key claims, once for all commands that take one. */
export function commandClaim(wallet: string, key: string): string {
  return `command:player:${wallet}:${key}`;
}
