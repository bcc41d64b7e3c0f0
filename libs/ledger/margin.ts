import type { AnyEvent } from './events.ts';
import { postings } from './postings.ts';

/**
 * How events move the cover of token liabilities: treasury minus what is owed to players and held for withdrawal.
 * `head.token_margin` is kept by this sum, so solvency is decided where the order is: in the append.
 */
export function marginDeltaMinor(events: readonly AnyEvent[], owner: string): bigint {
  let delta = 0n;
  for (const event of events) {
    for (const { account, asset, deltaMinor } of postings(event, owner)) {
      const owed = account.startsWith('player:') || account === 'withdrawals';
      if (asset === 'token' && owed) delta -= deltaMinor;
    }
  }
  return delta;
}
