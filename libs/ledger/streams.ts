import { assert } from './assert.ts';

export type StreamKind = 'player' | 'config' | 'treasury';

/** The one stream of the configuration. */
export const CONFIG_STREAM = 'config';
/** The one stream of what the project's wallet was seen to hold. */
export const TREASURY_STREAM = 'treasury';

/** A wallet address: 32 bytes in base58. */
export const WALLET_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export function playerStream(wallet: string): string {
  assert(WALLET_PATTERN.test(wallet), `not a wallet address: ${wallet}`);
  return `player-${wallet}`;
}

/** Splits `player-<wallet>` into kind and id; `config` and `treasury` are their own ids. */
export function parseStream(name: string): { kind: StreamKind; id: string } {
  if (name === CONFIG_STREAM || name === TREASURY_STREAM) return { kind: name, id: name };
  assert(name.startsWith('player-'), `unknown stream ${name}`);
  return { kind: 'player', id: name.slice('player-'.length) };
}
