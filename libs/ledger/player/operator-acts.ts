import { DAY_MS } from '../calendar.ts';
import type { AdjustConfig } from '../config/config.ts';
import { AMOUNT_MAX_MINOR, type Asset } from '../money.ts';
import { type Approvers, mayApprove } from '../operators/state.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import { nextNotice } from './notices.ts';
import {
  type Adjustment,
  AMOUNT_OF,
  aloneWith,
  type BalanceAdjusted,
  isRecordedAct,
  type RecordedAct,
  reasonOfRecorded,
  recordedAs,
  type StandingEvent,
  standingOf,
} from './standing.ts';
import { balancesOf, isRegistered, type PlayerState } from './state.ts';

/** Limit of adjustments of one player that wait for a second operator. */
export const PROPOSALS_MAX = 10;

/** `by` is the actor, `operator:<wallet>`. */
export type OperatorAct =
  | SuspendPlayer
  | ReinstatePlayer
  | RecordedAct
  | AdjustBalance
  | ApproveAdjustment
  | RefuseAdjustment;

export interface SuspendPlayer {
  readonly type: 'SuspendPlayer';
  readonly by: string;
  readonly reason: string;
}

export interface ReinstatePlayer {
  readonly type: 'ReinstatePlayer';
  readonly by: string;
  readonly reason: string;
}

/** Done immediately, or proposed above what one operator may adjust alone. */
export interface AdjustBalance {
  readonly type: 'AdjustBalance';
  readonly by: string;
  readonly reason: string;
  readonly asset: Asset;
  readonly deltaMinor: bigint;
  readonly terms: AdjustConfig;
  readonly nowMs: number;
}

export interface ApproveAdjustment extends Approvers {
  readonly type: 'ApproveAdjustment';
  readonly adjustment: string;
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

export interface RefuseAdjustment {
  readonly type: 'RefuseAdjustment';
  readonly adjustment: string;
  readonly by: string;
  readonly reason: string;
}

type Decided = readonly StandingEvent[] | Rejection;

export function actOnPlayer(state: PlayerState, act: OperatorAct): Decided {
  if (!isRegistered(state)) return reject('no-such-player');
  const why = isRecordedAct(act) ? reasonOfRecorded(act) : act.reason;
  if (!isReason(why)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  if (isRecordedAct(act)) return [recordedAs(act)];
  switch (act.type) {
    case 'SuspendPlayer':
    case 'ReinstatePlayer':
      return changeStatus(state, act);
    case 'AdjustBalance':
      return adjust(state, act);
    case 'ApproveAdjustment':
      return approve(state, act);
    case 'RefuseAdjustment': {
      const { adjustment, by, reason } = act;
      if (!findProposal(state, adjustment)) return reject('no-such-adjustment');
      return [{ type: 'AdjustmentRefused', data: { adjustment, by, reason } }];
    }
  }
}

function changeStatus(
  state: PlayerState,
  { type, by, reason }: SuspendPlayer | ReinstatePlayer,
): Decided {
  const { suspended } = standingOf(state);
  const common = { by, reason, notice: nextNotice(state) };
  if (type === 'SuspendPlayer') {
    if (suspended) return reject('suspended-already');
    const data = { statusBefore: 'active', statusAfter: 'suspended', ...common } as const;
    return [{ type: 'PlayerSuspended', data }];
  }
  if (!suspended) return reject('not-suspended');
  const data = { statusBefore: 'suspended', statusAfter: 'active', ...common } as const;
  return [{ type: 'PlayerReinstated', data }];
}

function adjust(state: PlayerState, command: AdjustBalance): Decided {
  const { asset, deltaMinor, by, reason, terms } = command;
  const standing = standingOf(state);
  const refused = refuseAmount(state, command);
  if (refused) return refused;
  const adjustment = `${state.publicId}-a${standing.adjustments + 1}`;
  const request: Adjustment = { adjustment, asset, deltaMinor, by, reason };
  const day = dayOf(state, command.nowMs);
  // Earlier adjustments of the day count, so that a large sum cannot be split.
  const alone = aloneWith(standing, { asset, deltaMinor, day });
  if (alone[AMOUNT_OF[asset]] <= singleOperatorMaxMinor(terms, asset)) {
    return [adjusted(state, request, { by: null, reason: null, day })];
  }
  if (standing.proposals.length >= PROPOSALS_MAX) {
    return reject('adjustments-too-many', { max: PROPOSALS_MAX });
  }
  return [{ type: 'AdjustmentProposed', data: request }];
}

function approve(state: PlayerState, command: ApproveAdjustment): Decided {
  const { by, reason } = command;
  const proposal = findProposal(state, command.adjustment);
  if (!proposal) return reject('no-such-adjustment');
  if (proposal.by === by) return reject('adjustment-by-proposer');
  if (!mayApprove(command, proposal.by)) return reject('adjustment-proposer-revoked');
  if (!mayApprove(command, by)) return reject('operator-may-not-act');
  // The balance may have changed since it was proposed.
  const refused = refuseAmount(state, proposal);
  return refused ?? [adjusted(state, proposal, { by, reason, day: dayOf(state, command.nowMs) })];
}

/** The amount of an asset that one operator may adjust alone per player and day. */
export function singleOperatorMaxMinor(terms: AdjustConfig, asset: Asset): bigint {
  return asset === 'points'
    ? terms.singleOperatorMaxPointsMinor
    : terms.singleOperatorMaxTokenMinor;
}

function refuseAmount(
  state: PlayerState,
  { asset, deltaMinor }: Pick<Adjustment, 'asset' | 'deltaMinor'>,
): Rejection | null {
  const tooLarge = deltaMinor > AMOUNT_MAX_MINOR || deltaMinor < -AMOUNT_MAX_MINOR;
  if (deltaMinor === 0n || tooLarge) return reject('adjustment-amount-invalid');
  const owned = state[AMOUNT_OF[asset]];
  if (owned + deltaMinor >= 0n) return null;
  return reject('adjustment-beyond-balance', { asset, ownedMinor: owned });
}

function adjusted(
  state: PlayerState,
  request: Adjustment,
  approval: { readonly by: string | null; readonly reason: string | null; readonly day: number },
): BalanceAdjusted {
  const before = balancesOf(state);
  const key = AMOUNT_OF[request.asset];
  const after = { ...before, [key]: before[key] + request.deltaMinor };
  const { by: approvedBy, reason: approvalReason, day } = approval;
  const decision = { approvedBy, approvalReason, day, before, after, notice: nextNotice(state) };
  return { type: 'BalanceAdjusted', data: { ...request, ...decision } };
}

/** The day that an action counts for. A late clock does not reopen an earlier day. */
export const dayOf = (state: PlayerState, nowMs: number) =>
  Math.max(Math.floor(nowMs / DAY_MS), standingOf(state).alone.day);

const findProposal = (state: PlayerState, adjustment: string) =>
  standingOf(state).proposals.find((one) => one.adjustment === adjustment);
