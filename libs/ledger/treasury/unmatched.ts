import { assert } from '../assert.ts';
import { AMOUNT_MAX_MINOR, HOLDING_MAX_MINOR } from '../money.ts';
import type { Agreed } from '../proposals.ts';
import { type Rejection, reject } from '../rejections.ts';
import { WALLET_PATTERN } from '../streams.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type { UnmatchedDepositResolved, UnmatchedResolution } from './events.ts';
import type { TreasuryState } from './state.ts';

/** The largest deposit that one operator alone may assign to the house. */
interface Terms {
  readonly singleOperatorMaxTokenMinor: bigint;
}

export type ResolveUnmatchedDeposit = {
  readonly type: 'ResolveUnmatchedDeposit';
  readonly proposal?: Agreed;
} & UnmatchedResolution &
  Terms;

/**
 * Assigning a deposit to a player always takes two operators: one alone could assign it to a friend. The cashier, which knows
 * the sender, needs none.
 */
export function takesTwo({
  by,
  to,
  amountMinor,
  singleOperatorMaxTokenMinor,
}: Pick<UnmatchedResolution, 'by' | 'to' | 'amountMinor'> & Terms): boolean {
  return (
    by.startsWith('operator:') && (to !== 'house' || amountMinor > singleOperatorMaxTokenMinor)
  );
}

/** Its idempotency key ensures that a deposit is resolved once. */
export function resolve(
  { unmatched }: TreasuryState,
  command: ResolveUnmatchedDeposit,
): readonly UnmatchedDepositResolved[] | Rejection {
  const { signature, tokenAccount, amountMinor, to, by, reason, proposal } = command;
  const known = to === 'house' || WALLET_PATTERN.test(to.replace(/^player:/, ''));
  assert(known, 'an unmatched deposit belongs to the house or to a player');
  assertAmount(amountMinor);
  if (unmatched.count === 0 || unmatched.amountMinor < amountMinor) {
    return reject('no-such-unmatched-deposit');
  }
  if (!isReason(reason)) {
    return reject('withdrawal-reason-missing', { max: REASON_MAX_LENGTH });
  }
  if (to !== 'house' && amountMinor > AMOUNT_MAX_MINOR) {
    return reject('unmatched-too-large', { tokenMinor: AMOUNT_MAX_MINOR });
  }
  if (!proposal && takesTwo(command)) return reject('needs-two-people');
  const resolved = { signature, tokenAccount, amountMinor, to, by, reason };
  const data = { ...resolved, ...(proposal && { proposal }) };
  return [{ type: 'UnmatchedDepositResolved', data }];
}

export function assertAmount(amountMinor: bigint): void {
  assert(amountMinor > 0n && amountMinor <= HOLDING_MAX_MINOR, 'a deposit is an amount');
}
