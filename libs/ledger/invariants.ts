import { assert } from './assert.ts';
import type { AnyEvent } from './events.ts';
import type { Balances } from './player/balances.ts';
import { postings } from './postings.ts';

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
