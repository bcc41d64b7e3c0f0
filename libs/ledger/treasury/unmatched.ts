import { assert } from '../assert.ts';
import { AMOUNT_MAX_MINOR, HOLDING_MAX_MINOR } from '../money.ts';
import { type Approvers, mayApprove } from '../operators/state.ts';
import { isShell } from '../proposals.ts';
import { type Rejection, reject } from '../rejections.ts';
import { WALLET_PATTERN } from '../streams.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type {
  UnmatchedDepositProposed,
  UnmatchedDepositResolved,
  UnmatchedResolution,
} from './events.ts';
import type { Proposal, TreasuryState } from './state.ts';

/** Limit of proposals that wait for a second operator: they are part of one state. */
const PROPOSALS_MAX = 200;

/** The largest deposit that one operator alone may assign to the house. */
interface Terms {
  readonly singleOperatorMaxTokenMinor: bigint;
}

export type ResolveUnmatchedDeposit = {
  readonly type: 'ResolveUnmatchedDeposit';
} & UnmatchedResolution &
  Terms &
  Approvers;

export type ProposeResolution = {
  readonly type: 'ProposeResolution';
} & UnmatchedResolution &
  Approvers;

const keyOf = (of: Pick<UnmatchedResolution, 'signature' | 'tokenAccount'>) =>
  `${of.signature}:${of.tokenAccount}`;

/** The operator who proposed the same before and may still act, where two are needed; null if there is none. */
export function proposalOf(
  { proposed = {} }: Pick<TreasuryState, 'proposed'>,
  of: Pick<UnmatchedResolution, 'signature' | 'tokenAccount'> & Approvers,
): Proposal | null {
  const found = Object.hasOwn(proposed, keyOf(of)) ? proposed[keyOf(of)] : undefined;
  return found && mayApprove(of, found.by) ? found : null;
}

/**
 * Assigning a deposit to a player always takes two operators who propose the same: one alone could assign it to a friend. The
 * cashier, which knows the sender, needs none.
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

/** Whether another operator must propose the same first. */
export function needsProposal(
  state: TreasuryState,
  resolution: UnmatchedResolution & Terms & Approvers,
): boolean {
  if (!takesTwo(resolution)) return false;
  const proposal = proposalOf(state, resolution);
  return proposal?.to !== resolution.to || proposal.by === resolution.by;
}

/** The latest proposal replaces the one before. */
export function propose(
  state: TreasuryState,
  command: ProposeResolution,
): readonly UnmatchedDepositProposed[] | Rejection {
  const data = resolutionOf(command);
  const refused = refuse(state, command);
  if (refused) return refused;
  const standing = proposalOf(state, command);
  if (standing?.to === data.to) return reject('unmatched-proposed-already');
  // A proposal that replaces another, such as one of a revoked operator, does not increase the number.
  const open = Object.keys(state.proposed ?? {});
  if (!open.includes(keyOf(data)) && open.length >= PROPOSALS_MAX) {
    return reject('unmatched-proposals-too-many', { max: PROPOSALS_MAX });
  }
  return [{ type: 'UnmatchedDepositProposed', data }];
}

/** Its idempotency key ensures that a deposit is resolved once. */
export function resolve(
  state: TreasuryState,
  command: ResolveUnmatchedDeposit,
): readonly UnmatchedDepositResolved[] | Rejection {
  const data = resolutionOf(command);
  const refused = refuse(state, command);
  if (refused) return refused;
  if (needsProposal(state, command)) {
    return reject('unmatched-needs-operators');
  }
  const two = takesTwo(command);
  const proposedBy = two ? (proposalOf(state, command)?.by ?? null) : null;
  return [{ type: 'UnmatchedDepositResolved', data: { ...data, proposedBy } }];
}

const resolutionOf = (of: UnmatchedResolution): UnmatchedResolution => {
  const { signature, tokenAccount, amountMinor, to, by, reason } = of;
  return { signature, tokenAccount, amountMinor, to, by, reason };
};

function refuse(
  state: TreasuryState,
  resolution: UnmatchedResolution & Approvers,
): Rejection | null {
  const { to, by, reason, amountMinor } = resolution;
  const known = to === 'house' || WALLET_PATTERN.test(to.replace(/^player:/, ''));
  assert(known, 'an unmatched deposit belongs to the house or to a player');
  assertAmount(amountMinor);
  if (!isShell(by) && !mayApprove(resolution, by)) return reject('operator-may-not-act');
  const { unmatched } = state;
  if (unmatched.count === 0 || unmatched.amountMinor < amountMinor) {
    return reject('no-such-unmatched-deposit');
  }
  if (!isReason(reason)) {
    return reject('withdrawal-reason-missing', { max: REASON_MAX_LENGTH });
  }
  if (to !== 'house' && amountMinor > AMOUNT_MAX_MINOR) {
    return reject('unmatched-too-large', { tokenMinor: AMOUNT_MAX_MINOR });
  }
  return null;
}

/** The proposals with one added. */
export function withProposal(
  { proposed = {} }: TreasuryState,
  { to, by, ...of }: UnmatchedResolution,
): Readonly<Record<string, Proposal>> {
  return { ...proposed, [keyOf(of)]: { to, by } };
}

/** The proposals after one was resolved; undefined if there never was any. */
export function withoutProposal(
  { proposed }: TreasuryState,
  of: UnmatchedResolution,
): TreasuryState['proposed'] {
  if (!proposed || !Object.hasOwn(proposed, keyOf(of))) return proposed;
  const { [keyOf(of)]: _, ...left } = proposed;
  return left;
}

export function assertAmount(amountMinor: bigint): void {
  assert(amountMinor > 0n && amountMinor <= HOLDING_MAX_MINOR, 'a deposit is an amount');
}
