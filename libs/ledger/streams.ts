import { assert } from './assert.ts';

export type StreamKind = 'player' | 'config' | 'operators' | 'seals' | 'treasury';

/** The stream of the configuration. */
export const CONFIG_STREAM = 'config';
/** The stream of operators and their roles. */
export const OPERATORS_STREAM = 'operators';
/** The stream of observations of the treasury. */
export const TREASURY_STREAM = 'treasury';

/** The stream of the seals. */
export const SEALS_STREAM = 'seals';

/** A wallet address: 32 bytes in base58. */
export const WALLET_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export function playerStream(wallet: string): string {
  assert(WALLET_PATTERN.test(wallet), `not a wallet address: ${wallet}`);
  return `player-${wallet}`;
}

const SINGLE_STREAMS = [CONFIG_STREAM, OPERATORS_STREAM, SEALS_STREAM, TREASURY_STREAM] as const;

/** Splits `player-<wallet>` into kind and id; for the other streams both are the stream's name. */
export function parseStream(name: string): { kind: StreamKind; id: string } {
  const single = SINGLE_STREAMS.find((one) => one === name);
  if (single) return { kind: single, id: single };
  assert(name.startsWith('player-'), `unknown stream ${name}`);
  return { kind: 'player', id: name.slice('player-'.length) };
}
