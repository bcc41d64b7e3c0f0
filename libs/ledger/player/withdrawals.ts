import { assert } from '../assert.ts';
import type { WithdrawConfig } from '../config/config.ts';
import { AMOUNT_MAX_MINOR, type Rate } from '../money.ts';
import { mayApprove } from '../operators/state.ts';
import { isRejection, type Rejection, reject } from '../rejections.ts';
import { WALLET_PATTERN } from '../streams.ts';
import { isPlainText, isReason, REASON_MAX_LENGTH } from '../text.ts';
import type { Balances } from './balances.ts';
import { readConfirmation } from './confirmation.ts';
import { nextNotice } from './notices.ts';
import { paymentFault } from './payment-bytes.ts';
import {
  type ApproveWithdrawal,
  CASHIER,
  type CreditDeposit,
  type DenyWithdrawal,
  type DepositCredited,
  type FailWithdrawalAttempt,
  type FinalizeWithdrawal,
  type PaymentEvent,
  type RequestWithdrawal,
  type SignWithdrawal,
} from './payment-events.ts';
import { NO_PLAY_TERMS, timeOf } from './protection-state.ts';
import { standingOf } from './standing.ts';
import { balancesOf, isRegistered, type PlayerState } from './state.ts';
import { isLastAttempt, type OpenWithdrawal, openOf, withdrawalsOf } from './withdrawal-state.ts';

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
function gained(state: Balances, tokenMinor: bigint): Balances {
  return { ...balancesOf(state), tokenMinor: state.tokenMinor + tokenMinor };
}

/**
 * A withdrawal from the request to the chain:
 *
 *   requested -> approved -> signed -> finalized
 *       |           |  ^        |
 *       |           |  +--------+   the attempt failed, or expired and is not on the chain
 *       +-----------+-> denied and released: all of it back, the fee too
 *
 * If an attempt that was recorded as expired is on the chain, it finalizes the withdrawal: the ledger follows the chain.
 *
 * `signed` is the point of no return: the money may leave from then on, so a signed withdrawal can be neither denied nor
 * signed again before the chain shows finally that the attempt moved nothing. A timeout proves nothing.
 */

/** Limit of open withdrawals of one player. */
export const OPEN_WITHDRAWALS_MAX = 10;
/** Above the automatic limit two different people must approve. */
export const OPERATORS_NEEDED = 2;

type Decided = readonly PaymentEvent[] | Rejection;

/** The fee on a gross amount: the rate's share of it, rounded up to the next minor unit. */
export function feeMinorOf(amountMinor: bigint, { numerator, denominator }: Rate): bigint {
  const [share, divisor] = [BigInt(numerator), BigInt(denominator)];
  return (amountMinor * share + divisor - 1n) / divisor;
}

/** All guards of a request. The kill switch does not refuse it: the withdrawal waits. */
export function refuseWithdrawal(state: PlayerState, command: RequestWithdrawal): Rejection | null {
  const { amountMinor, to, address, terms } = command;
  if (!isRegistered(state)) return reject('not-registered');
  if (amountMinor <= 0n) return reject('withdrawal-amount-invalid');
  if (!WALLET_PATTERN.test(to)) return reject('withdrawal-address-invalid');
  if (address === 'ours') return reject('withdrawal-address-ours');
  if (address === 'no-wallet') return reject('withdrawal-address-invalid');
  if (address === 'foreign') return reject('withdrawal-address-foreign');
  if (amountMinor > state.tokenMinor) {
    return reject('withdrawal-insufficient-token', { tokenMinor: state.tokenMinor });
  }
  if (amountMinor > AMOUNT_MAX_MINOR) return reject('withdrawal-amount-invalid');
  if (amountMinor < terms.minTokenMinor) {
    return reject('withdrawal-below-minimum', { tokenMinor: terms.minTokenMinor });
  }
  if (feeMinorOf(amountMinor, terms.feeRate) >= amountMinor) return reject('withdrawal-too-small');
  if (command.makesAccount && amountMinor < terms.newAccountMinTokenMinor) {
    return reject('withdrawal-below-account-minimum', {
      tokenMinor: terms.newAccountMinTokenMinor,
    });
  }
  if (withdrawalsOf(state).open.length >= OPEN_WITHDRAWALS_MAX) {
    return reject('withdrawals-too-many', { max: OPEN_WITHDRAWALS_MAX });
  }
  return refuseConfirmation(state, command);
}

/** A confirmation is for this amount and address, and later than the last one: each counts once. */
function refuseConfirmation(
  state: PlayerState,
  { amountMinor, to, confirmation }: RequestWithdrawal,
): Rejection | null {
  if (!confirmation) return null;
  const confirmed = readConfirmation(confirmation.message);
  if (confirmed?.amountMinor !== amountMinor || confirmed.to !== to) {
    return reject('withdrawal-confirmation-invalid');
  }
  const { confirmedMs = 0 } = withdrawalsOf(state);
  return confirmed.atMs > confirmedMs ? null : reject('withdrawal-confirmation-used');
}

export function requestWithdrawal(state: PlayerState, command: RequestWithdrawal): Decided {
  const refused = refuseWithdrawal(state, command);
  if (refused) return refused;
  const { amountMinor, to, terms, confirmation } = command;
  const { feeRate } = terms;
  const feeMinor = feeMinorOf(amountMinor, feeRate);
  const netMinor = amountMinor - feeMinor;
  const withdrawal = `${state.publicId}-w${withdrawalsOf(state).count + 1}`;
  const after = gained(state, -amountMinor);
  const notice = nextNotice(state);
  const amounts = { withdrawal, to, amountMinor, feeMinor, netMinor, feeRate };
  const data = { ...amounts, ...(confirmation && { confirmation }), after, notice };
  return [{ type: 'WithdrawalRequested', data }];
}

export function approveWithdrawal(state: PlayerState, command: ApproveWithdrawal): Decided {
  const { by, reason, terms } = command;
  const open = findFor(state, command);
  if (isRejection(open)) return open;
  if (!isReason(reason)) return reject('withdrawal-reason-missing', { max: REASON_MAX_LENGTH });
  if (open.stage !== 'requested') return reject('withdrawal-not-waiting', { stage: open.stage });
  if (by === CASHIER && (standingOf(state).suspended || !isAutomatic(open, terms))) {
    return reject('withdrawal-needs-operators');
  }
  if (by !== CASHIER && !mayApprove(command, by)) return reject('operator-may-not-act');
  if (open.approvedBy.includes(by)) return reject('withdrawal-approved-already');
  const needed = by === CASHIER ? 1 : OPERATORS_NEEDED;
  const approvals = open.approvedBy.filter((one) => mayApprove(command, one)).length + 1;
  const { withdrawal, to, netMinor } = open;
  const counted = { approvals: by === CASHIER ? 1 : approvals, needed };
  const data = { withdrawal, by, reason, ...counted, ...(by !== CASHIER && { to, netMinor }) };
  if (data.approvals < needed) return [{ type: 'WithdrawalApproved', data }];
  const notice = nextNotice(state, open.notice);
  return [{ type: 'WithdrawalApproved', data: { ...data, notice } }];
}

/**
 * Whether the cashier may approve it alone: up to the limit, before an operator has, to an address that the player's wallet
 * has or confirmed, and never for a suspended player.
 */
export function isAutomatic(
  open: Pick<OpenWithdrawal, 'netMinor' | 'feeMinor' | 'approvedBy' | 'confirmed'>,
  { automaticMaxTokenMinor }: Pick<WithdrawConfig, 'automaticMaxTokenMinor'>,
): boolean {
  const { netMinor, feeMinor, approvedBy, confirmed } = open;
  return confirmed && netMinor + feeMinor <= automaticMaxTokenMinor && approvedBy.length === 0;
}

export function denyWithdrawal(state: PlayerState, command: DenyWithdrawal): Decided {
  const { by, reason } = command;
  const open = findFor(state, command);
  if (isRejection(open)) return open;
  if (!isReason(reason)) return reject('withdrawal-reason-missing', { max: REASON_MAX_LENGTH });
  if (open.stage === 'signed') return reject('withdrawal-on-its-way');
  // A person's statement that an attempt is dead releases nothing, as it may have landed: only the cashier queries the chain.
  if (open.expired?.by !== undefined && by !== CASHIER) return reject('withdrawal-on-its-way');
  const { withdrawal, netMinor, feeMinor } = open;
  const after = gained(state, netMinor + feeMinor);
  const notice = nextNotice(state, open.notice);
  const released = { withdrawal, netMinor, feeMinor, reason, after, notice };
  return [
    { type: 'WithdrawalDenied', data: { withdrawal, by, reason } },
    { type: 'WithdrawalReleased', data: released },
  ];
}

export function signWithdrawal(state: PlayerState, command: SignWithdrawal): Decided {
  const open = find(state, command.withdrawal);
  if (isRejection(open)) return open;
  if (open.stage !== 'approved') return reject('withdrawal-not-approved', { stage: open.stage });
  if (!command.terms.enabled) return reject('withdrawals-paused');
  const { withdrawal } = open;
  const { attempt, signature, transaction, lastValidBlockHeight, slot } = command;
  assert(attempt === open.attempts + 1, 'attempts have no gaps');
  assert(Number.isSafeInteger(lastValidBlockHeight), 'a transaction expires');
  const fault = paymentFault(open, command.token, { signature, transaction });
  assert(fault === null, `${withdrawal} is not signed: ${fault}`);
  const notice = nextNotice(state, open.notice);
  const signed = { signature, transaction, lastValidBlockHeight, slot };
  const data = { withdrawal, attempt, ...signed, notice };
  return [{ type: 'WithdrawalSigned', data }];
}

export function failWithdrawalAttempt(state: PlayerState, command: FailWithdrawalAttempt): Decided {
  const open = findSigned(state, command);
  if (isRejection(open)) return open;
  const { outcome, evidence, blockHeight, signature, by } = command;
  assert(isPlainText(evidence) && evidence !== '', 'the end of an attempt has evidence');
  const { withdrawal, attempts: attempt, lastValidBlockHeight } = open;
  // The rule that prevents paying a withdrawal twice is checked here as well as in the cashier.
  if (outcome === 'expired' && blockHeight <= lastValidBlockHeight) {
    return reject('withdrawal-not-expired', { lastValidBlockHeight });
  }
  const person = by === undefined ? {} : { by };
  const data = { withdrawal, attempt, signature, outcome, evidence, blockHeight, ...person };
  return [{ type: 'WithdrawalAttemptFailed', data }];
}

export function finalizeWithdrawal(state: PlayerState, command: FinalizeWithdrawal): Decided {
  const open = find(state, command.withdrawal);
  if (isRejection(open)) return open;
  const { withdrawal, attempts: attempt, netMinor, feeMinor } = open;
  const { signature, slot } = command;
  if (!isLastAttempt(open, signature)) {
    return reject('withdrawal-not-signed', { stage: open.stage });
  }
  const notice = nextNotice(state, open.notice);
  const data = { withdrawal, attempt, signature, slot, netMinor, feeMinor, notice };
  return [{ type: 'WithdrawalFinalized', data }];
}

function find(state: PlayerState, withdrawal: string): OpenWithdrawal | Rejection {
  if (!isRegistered(state)) return reject('not-registered');
  return openOf(state, withdrawal) ?? reject('no-such-withdrawal');
}

/** Operators decide about no withdrawal of their own player account, and none to their own wallet. */
function findFor(
  state: PlayerState,
  { withdrawal, by }: { readonly withdrawal: string; readonly by?: string },
): OpenWithdrawal | Rejection {
  const open = find(state, withdrawal);
  if (isRejection(open)) return open;
  const isOwn = [state.wallet, open.to].some((wallet) => by === `operator:${wallet}`);
  return isOwn ? reject('operator-own-wallet') : open;
}

type Signed = OpenWithdrawal & { readonly lastValidBlockHeight: number };

/** The withdrawal whose live attempt has that signature. */
function findSigned(
  state: PlayerState,
  {
    signature,
    ...command
  }: { readonly withdrawal: string; readonly signature: string; readonly by?: string },
): Signed | Rejection {
  const open = findFor(state, command);
  if (isRejection(open)) return open;
  const { stage, live } = open;
  if (stage !== 'signed' || live?.signature !== signature) {
    return reject('withdrawal-not-signed', { stage });
  }
  return { ...open, lastValidBlockHeight: live.lastValidBlockHeight };
}
