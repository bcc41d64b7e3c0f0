import { assert } from './assert.ts';

export type StreamKind = 'player' | 'config';

/** The one stream of the configuration. */
export const CONFIG_STREAM = 'config';

/** A wallet address: 32 bytes in base58. */
export const WALLET_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export function playerStream(wallet: string): string {
  assert(WALLET_PATTERN.test(wallet), `not a wallet address: ${wallet}`);
  return `player-${wallet}`;
}

/** Splits `player-<wallet>` into kind and id; `config` is its own id. */
export function parseStream(name: string): { kind: StreamKind; id: string } {
  if (name === CONFIG_STREAM) return { kind: 'config', id: 'config' };
  assert(name.startsWith('player-'), `unknown stream ${name}`);
  return { kind: 'player', id: name.slice('player-'.length) };
}
