import { DAY_MS } from '../calendar.ts';
import type { AdjustConfig } from '../config/config.ts';
import { AMOUNT_MAX_MINOR, type Asset } from '../money.ts';
import type { Agreed } from '../proposals.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import { nextNotice } from './notices.ts';
import {
  type Adjustment,
  AMOUNT_OF,
  aloneWith,
  isRecordedAct,
  type RecordedAct,
  reasonOfRecorded,
  recordedAs,
  type StandingEvent,
  standingOf,
} from './standing.ts';
import { balancesOf, isRegistered, type PlayerState } from './state.ts';

/** `by` is the actor, `operator:<wallet>`. */
export type OperatorAct = SuspendPlayer | ReinstatePlayer | RecordedAct | AdjustBalance;

export interface SuspendPlayer {
  readonly type: 'SuspendPlayer';
  readonly by: string;
  readonly reason: string;
}

export interface ReinstatePlayer {
  readonly type: 'ReinstatePlayer';
  readonly by: string;
  readonly reason: string;
  /** Missing: refused, since it takes two operators. */
  readonly proposal?: Agreed;
}

/** Without a proposal, refused above what one operator may adjust alone. */
export interface AdjustBalance extends Omit<Adjustment, 'adjustment'> {
  readonly type: 'AdjustBalance';
  readonly terms: AdjustConfig;
  readonly nowMs: number;
  readonly proposal?: Agreed;
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
  }
}

function changeStatus(state: PlayerState, act: SuspendPlayer | ReinstatePlayer): Decided {
  const { suspended } = standingOf(state);
  const { by, reason } = act;
  const common = { by, reason, notice: nextNotice(state) };
  if (act.type === 'SuspendPlayer') {
    if (suspended) return reject('suspended-already');
    const data = { statusBefore: 'active', statusAfter: 'suspended', ...common } as const;
    return [{ type: 'PlayerSuspended', data }];
  }
  if (!suspended) return reject('not-suspended');
  if (!act.proposal) return reject('needs-two-people');
  const { proposal } = act;
  const data = { statusBefore: 'suspended', statusAfter: 'active', ...common, proposal } as const;
  return [{ type: 'PlayerReinstated', data }];
}

function adjust(state: PlayerState, command: AdjustBalance): Decided {
  const { asset, deltaMinor, by, reason, terms, proposal } = command;
  const refused = refuseAmount(state, command);
  if (refused) return refused;
  const standing = standingOf(state);
  const day = dayOf(state, command.nowMs);
  // Earlier adjustments of the day count, so that a large sum cannot be split.
  const alone = aloneWith(standing, { asset, deltaMinor, day });
  const key = AMOUNT_OF[asset];
  if (!proposal && alone[key] > singleOperatorMaxMinor(terms, asset)) {
    return reject('needs-two-people');
  }
  const adjustment = `${state.publicId}-a${standing.adjustments + 1}`;
  const before = balancesOf(state);
  const after = { ...before, [key]: before[key] + deltaMinor };
  const people = { by, reason, ...(proposal && { proposal }) };
  const moved = { adjustment, asset, deltaMinor, ...people, day, before, after };
  return [{ type: 'BalanceAdjusted', data: { ...moved, notice: nextNotice(state) } }];
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

/** The day that an action counts for. A late clock does not reopen an earlier day. */
export const dayOf = (state: PlayerState, nowMs: number) =>
  Math.max(Math.floor(nowMs / DAY_MS), standingOf(state).alone.day);
