import { assert } from '../assert.ts';
import { AMOUNT_MAX_MINOR } from '../money.ts';
import { type Rejection, reject } from '../rejections.ts';
import type { Balances } from './balances.ts';
import { nextNotice } from './notices.ts';
import type { CreditDeposit } from './payment-commands.ts';
import type { DepositCredited } from './payment-events.ts';
import { NO_PLAY_TERMS, timeOf } from './protection-state.ts';
import { balancesOf, isRegistered, type PlayerState } from './state.ts';

/**
 * Credits a deposit. Only a wallet without a player is refused: neither the treasury's cover (a deposit brings its own), nor a
 * limit, nor an exclusion applies. Its idempotency key ensures that each transfer is credited once.
 */
export function creditDeposit(
  state: PlayerState,
  command: CreditDeposit,
): readonly [DepositCredited] | Rejection {
  if (!isRegistered(state)) return reject('not-registered');
  const { signature, tokenAccount, slot, amountMinor, from, providers, isDust, nowMs } = command;
  assert(amountMinor > 0n && amountMinor <= AMOUNT_MAX_MINOR, 'a deposit is positive');
  assert(Number.isSafeInteger(slot) && slot >= 0, 'a deposit landed in a slot');
  const after = gained(state, amountMinor);
  const time = timeOf(state, { ...NO_PLAY_TERMS, nowMs });
  const given = {
    signature,
    tokenAccount,
    slot,
    amountMinor,
    from,
    ...(providers && { providers }),
  };
  const data = { ...given, ...time, after, ...(!isDust && { notice: nextNotice(state) }) };
  return [{ type: 'DepositCredited', data }];
}

/** The balances with this change of token. */
export function gained(state: Balances, tokenMinor: bigint): Balances {
  return { ...balancesOf(state), tokenMinor: state.tokenMinor + tokenMinor };
}
