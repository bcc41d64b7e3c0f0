import { assert } from './assert.ts';
import { postings } from './event-types.ts';
import type { AnyEvent } from './events.ts';
import type { Balances } from './player/balances.ts';

/** The balances a money event claims to leave behind, or null for an event that moves nothing. */
export function balancesAfter(event: AnyEvent): Balances | null {
  return 'after' in event.data && event.type !== 'ConfigChanged' ? event.data.after : null;
}

/**
 * Checks one event against the balances before it: postings sum to zero per asset, `after` is before plus the
 * player's own legs, nothing falls below zero. Cheap enough to run on every append and in the audit.
 * @returns the balances after it; throws `Bug` naming what is broken.
 */
export function checkMoney(event: AnyEvent, owner: string, before: Balances): Balances {
  const mine = `player:${owner}`;
  const sum = { points: 0n, token: 0n };
  const own = { points: before.pointsMinor, token: before.tokenMinor };
  for (const { account, asset, deltaMinor } of postings(event, owner)) {
    sum[asset] += deltaMinor;
    if (account === mine) own[asset] += deltaMinor;
  }
  assert(sum.points === 0n && sum.token === 0n, `postings of ${event.type} do not sum to zero`);
  const after = balancesAfter(event);
  if (after) {
    assert(
      after.pointsMinor === own.points && after.tokenMinor === own.token,
      `${event.type} says ${after.pointsMinor} points and ${after.tokenMinor} token after it, its postings give ${own.points} and ${own.token}`,
    );
  } else {
    assert(
      own.points === before.pointsMinor && own.token === before.tokenMinor,
      `${event.type} moves money and does not say what is left`,
    );
  }
  assert(own.points >= 0n && own.token >= 0n, `${event.type} leaves a balance below zero`);
  return { pointsMinor: own.points, tokenMinor: own.token };
}

/**
 * How events move the margin: the house's own token, out of which it may promise more. `ledger_head.token_margin` is kept by
 * this sum, so solvency is decided where the order is: in the append.
 *
 * The true cover at any moment is what the treasury holds, less what is owed: balances of players, withdrawals asked
 * for and not paid (with their fees, which a release gives back), what arrived and is not credited yet, and what
 * arrived and is nobody's yet. Looking at the chain and writing in the ledger happen at different moments, so a margin
 * of "seen less owed" would be wrong between them, in both directions: a deposit seen before its credit would be
 * cover that is none, a withdrawal seen to be gone while it is still held would be missing twice, one that is booked
 * as paid while it is still seen would be there twice. So the margin is made of what cannot race:
 *
 *   margin = the house's own part of the treasury + the house's account + fees earned
 *
 * The first is what an observation reports, `tokenMinor - netDepositsMinor`: both are taken from the chain at one slot, and
 * every transfer that passes through moves both alike, whether the ledger knows of it or not. The others are postings of
 * the ledger alone. A credit (chain to player), a hold (player to withdrawals) and a payment (withdrawals to chain) touch
 * neither, so none of them can be refused for want of cover or change it, in whatever order they are written and seen.
 * Why it is the true cover: per event the postings of token sum to zero, so house + fees is exactly what came over the
 * chain by the ledger less what is owed by the ledger; and what the chain has but the ledger has not is in `netDepositsMinor`.
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
