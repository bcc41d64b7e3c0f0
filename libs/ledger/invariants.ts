import { assert, Bug } from './assert.ts';
import { postings } from './event-types.ts';
import type { AnyEvent } from './events.ts';
import { toText } from './money.ts';
import type { Balances } from './player/balances.ts';

/** The balances after an event as it states them; null for an event that moves no money. */
export function balancesAfter(event: AnyEvent): Balances | null {
  return 'after' in event.data && event.type !== 'ConfigChanged' ? event.data.after : null;
}

const textOf = ({ pointsMinor, tokenMinor }: Balances) =>
  `${toText('points', pointsMinor)} and ${toText('token', tokenMinor)}`;

/**
 * Checks one event against the balances before it: postings sum to zero per asset, `after` equals before plus the
 * player's own legs, no balance is negative. Runs on every append and in the audit.
 * @returns the balances after it; throws `Bug` that names the fault.
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
  const { pointsMinor, tokenMinor } = after ?? before;
  if (pointsMinor !== own.points || tokenMinor !== own.token) {
    if (!after) throw new Bug(`${event.type} moves money and has no balances after it`);
    const given = textOf({ pointsMinor: own.points, tokenMinor: own.token });
    throw new Bug(`${event.type} has ${textOf(after)} after it; its postings give ${given}`);
  }
  assert(own.points >= 0n && own.token >= 0n, `${event.type} leaves a balance below zero`);
  return { pointsMinor: own.points, tokenMinor: own.token };
}

/**
 * The change of the margin by events. The margin is the house's own token, which covers new promises.
 * `ledger_head.token_margin` is this sum, so the append, which orders events, also decides solvency.
 *
 * The true cover is the treasury's balance less what is owed: balances of players, unpaid withdrawals (with their fees,
 * which a release returns), deposits that are not credited yet, and unmatched deposits. The chain is observed and the
 * ledger is written at different times, so "observed less owed" would be wrong between them, in both directions: a deposit
 * observed before its credit would count as cover; a withdrawal observed as gone while it is still held would be
 * subtracted twice; one recorded as paid while it is still observed would be counted twice. The margin therefore uses
 * only figures that cannot race:
 *
 *   margin = the house's own part of the treasury + the house's account + fees earned
 *
 * The first is reported by an observation as `tokenMinor - netDepositsMinor`: both are read from the chain at one slot, and
 * every transfer through the treasury changes both equally, whether it is in the ledger or not. The others are postings of
 * the ledger alone. A credit (chain to player), a hold (player to withdrawals) and a payment (withdrawals to chain) touch
 * neither, so they neither change the margin nor can be refused for it, in any order.
 * Why it is the true cover: per event the token postings sum to zero, so house + fees equals what came over the chain
 * according to the ledger, less what is owed according to the ledger; what is on the chain only is in `netDepositsMinor`.
 *
 * `fees` belongs to the house; but the fee of a withdrawal is earned only when the withdrawal is final, since a release
 * returns it. Until then it counts as owed.
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
 * Whether events promise token that the treasury must cover; they are refused if it does not. Observations, credits and
 * payments are never refused for the margin.
 */
export function takesCover(events: readonly AnyEvent[]): boolean {
  return events.some(({ type }) => type === 'Exchanged' || type === 'BalanceAdjusted');
}
