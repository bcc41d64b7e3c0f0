import type { AnyEvent } from './events.ts';
import { postings } from './postings.ts';

/**
 * How events move the margin: the house's own token, out of which it may promise more. `ledger_head.token_margin` is kept by
 * this sum, so solvency is decided where the order is: in the append.
 *
 * The true cover at any moment is what the treasury holds, less what is owed: balances of players, withdrawals asked
 * for and not paid (with their fees, which a release gives back), what arrived and is not credited yet, and what
 * arrived and is nobody's yet. Looking at the chain and writing in the book happen at different moments, so a margin
 * of "seen less owed" would be wrong between them, in both directions: a deposit seen before its credit would be
 * cover that is none, a withdrawal seen to be gone while it is still held would be missing twice, one that is booked
 * as paid while it is still seen would be there twice. So the margin is made of what cannot race:
 *
 *   margin = the house's own part of the treasury + the house's account + fees earned
 *
 * The first is what an observation reports, `tokenMinor - netDepositsMinor`: both are taken from the chain at one slot, and
 * every transfer that passes through moves both alike, whether the book knows of it or not. The others are postings of
 * the book alone. A credit (chain to player), a hold (player to withdrawals) and a payment (withdrawals to chain) touch
 * neither, so none of them can be refused for want of cover or change it, in whatever order they are written and seen.
 * Why it is the true cover: per event the postings of token sum to zero, so house + fees is exactly what came over the
 * chain by the book less what is owed by the book; and what the chain has but the book has not is in `netDepositsMinor`.
 *
 * `fees` is no liability, it is the house's; but the fee of a withdrawal is earned only when it is final, since a
 * release pays it back. Until then it counts as owed.
 */
export function marginDeltaMinor(events: readonly AnyEvent[], owner: string): bigint {
  let delta = 0n;
  for (const event of events) {
    for (const { account, asset, deltaMinor } of postings(event, owner)) {
      if (asset === 'token' && (account === 'house' || account === 'fees')) delta += deltaMinor;
    }
    switch (event.type) {
      case 'TreasuryObserved': {
        const {
          tokenMinor,
          previousTokenMinor,
          netDepositsMinor = 0n,
          previousNetDepositsMinor = 0n,
        } = event.data;
        delta += tokenMinor - netDepositsMinor - (previousTokenMinor - previousNetDepositsMinor);
        break;
      }
      case 'WithdrawalRequested':
        delta -= event.data.feeMinor;
        break;
      case 'WithdrawalFinalized':
      case 'WithdrawalReleased':
        delta += event.data.feeMinor;
        break;
    }
  }
  return delta;
}

/**
 * Whether events promise token that the treasury must cover, and so are refused where it does not. What is only seen,
 * has arrived already or was promised before is never refused, whatever it does to the margin.
 */
export function takesCover(events: readonly AnyEvent[]): boolean {
  return events.some(({ type }) => type === 'Exchanged' || type === 'BalanceAdjusted');
}
