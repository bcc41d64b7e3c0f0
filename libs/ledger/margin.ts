import type { AnyEvent } from './events.ts';
import { postings } from './postings.ts';

/**
 * How events move the cover of token liabilities: treasury minus what is owed to players and held for withdrawal.
 * `head.token_margin` is kept by this sum, so solvency is decided where the order is: in the append. The treasury's
 * side is what was seen of it, so an observation counts by its difference to the one before.
 */
export function marginDeltaMinor(events: readonly AnyEvent[], owner: string): bigint {
  let delta = 0n;
  for (const event of events) {
    if (event.type === 'TreasuryObserved') {
      delta += event.data.tokenMinor - event.data.previousTokenMinor;
    }
    for (const { account, asset, deltaMinor } of postings(event, owner)) {
      const owed = account.startsWith('player:') || account === 'withdrawals';
      if (asset === 'token' && owed) delta -= deltaMinor;
    }
  }
  return delta;
}

/**
 * Whether events promise token that the treasury must cover, and so are refused where it does not. What is only seen
 * or has arrived already is never refused, whatever it does to the margin.
 */
export function takesCover(events: readonly AnyEvent[]): boolean {
  return events.some(({ type }) => type === 'Exchanged');
}
