import { assert } from '../assert.ts';
import { DAY_MS, endOf, HOUR_MS, MINUTE_MS, PERIODS } from '../calendar.ts';
import { AMOUNT_MAX_MINOR } from '../money.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type { PlayerEvent } from './events.ts';
import { nextNotice } from './notices.ts';
import type {
  AcknowledgeRealityCheck,
  CancelLimitChange,
  ExcludeSelf,
  ExclusionTerm,
  SetLimit,
  SetRealityCheck,
} from './protection-commands.ts';
import { LIMIT_KINDS, type LimitKind } from './protection-events.ts';
import {
  checkOf,
  findLimit,
  type Limit,
  leftOf,
  type Protected,
  type Protection,
  protectionAt,
  withDeposit,
} from './protection-state.ts';
import { type Standing, standingOf } from './standing.ts';
import { isRegistered, type PlayerState } from './state.ts';

/** Before a loosening holds; a tightening holds at once. */
const LOOSENING_DELAY_MS = DAY_MS;
const TERMS_MS: Readonly<Record<ExclusionTerm, number | null>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '180d': 180 * DAY_MS,
  permanent: null,
};

export const REALITY_CHECK_MIN_MINUTES = 5;
export const REALITY_CHECK_MAX_MINUTES = (24 * HOUR_MS) / MINUTE_MS;

/** What a stake is decided by beside the state. */
export interface PlayTerms {
  /** Null where `needsTime` says that it is not needed. */
  readonly nowMs: number | null;
  /** The operator's interval of reality checks, for players who chose none; null for none. */
  readonly realityCheckMs: number | null;
}

export const NO_PLAY_TERMS: PlayTerms = { nowMs: null, realityCheckMs: null };

/** Whether time counts for this player: a decision on money then needs it, and its event says it. */
export function needsTime(state: Protected, realityCheckMs: number | null): boolean {
  return state.protection !== undefined || realityCheckMs !== null;
}

/** The time that an event of a decision says; nothing where time does not count. Spread into the event's data. */
export function timeOf(state: Protected, terms: PlayTerms): { readonly atMs?: number } {
  if (!needsTime(state, terms.realityCheckMs)) return {};
  return { atMs: decidedAt(state, terms.nowMs) };
}

/** The time to decide at: never before that of an earlier event of the stream. */
export function decidedAt({ protection }: Protected, nowMs: number | null): number {
  assert(nowMs !== null && Number.isSafeInteger(nowMs), 'time arrives with the command');
  return Math.max(nowMs, protection?.atMs ?? 0);
}

/** THE guard that every stake passes, of a bet as of a game's fee. A stake counts as lost until its round has paid. */
export function refuseStake(
  state: Protected & Standing,
  stakeMinor: bigint,
  terms: PlayTerms,
): Rejection | null {
  const suspended = refuseSuspended(state);
  if (suspended) return suspended;
  if (!state.protection) return null; // the first stake of all begins a session: no check can be due
  const now = protectionAt(state, decidedAt(state, terms.nowMs));
  return (
    refuseExcluded(now) ??
    refuseUnchecked(now, terms.realityCheckMs) ??
    refuseBeyond(now, ['loss', 'wager'], stakeMinor)
  );
}

/**
 * Whether the player's own limits or exclusion refuse the intent to deposit. Only the intent: what arrives all the
 * same is credited. What is on its way counts as if it had arrived now. Amounts in minor units of token.
 */
export function refuseDepositIntent(
  state: Protected & Standing,
  o: { readonly amountMinor: bigint; readonly onItsWayMinor: bigint; readonly timeMs: number },
): Rejection | null {
  const suspended = refuseSuspended(state);
  if (suspended) return suspended;
  if (!state.protection) return null;
  const atMs = decidedAt(state, o.timeMs);
  const arrived = withDeposit(state, { tokenMinor: o.onItsWayMinor, atMs });
  const now = protectionAt(arrived, atMs);
  return refuseExcluded(now) ?? refuseBeyond(now, ['deposit'], o.amountMinor);
}

/** Whether exclusion refuses points for token, a step to gambling. Token for points is a way out and always open. */
export function refuseBuyingPoints(
  state: Protected & Standing,
  terms: PlayTerms,
): Rejection | null {
  const suspended = refuseSuspended(state);
  if (suspended) return suspended;
  if (!state.protection) return null;
  return refuseExcluded(protectionAt(state, decidedAt(state, terms.nowMs)));
}

/** As exclusion: the ways in are shut, the ways out are not. */
function refuseSuspended(state: Standing): Rejection | null {
  return standingOf(state).suspended ? reject('player-suspended') : null;
}

function refuseExcluded({ excluded }: Protection): Rejection | null {
  if (!excluded) return null;
  const { untilMs } = excluded;
  return reject('self-excluded', untilMs === null ? {} : { untilMs: untilMs });
}

function refuseUnchecked(now: Protection, realityCheckMs: number | null): Rejection | null {
  const { play, due } = checkOf(now, realityCheckMs);
  if (!due || !play) return null;
  const { stakedMinor, wonMinor } = play;
  const minutes = Math.floor((now.atMs - play.sinceMs) / MINUTE_MS);
  const netMinor = wonMinor - stakedMinor;
  return reject('reality-check-due', { minutes, stakedMinor, wonMinor, netMinor });
}

/** Refuses by the limit that leaves least. */
function refuseBeyond(
  now: Protection,
  kinds: readonly LimitKind[],
  amountMinor: bigint,
): Rejection | null {
  let tightest: Limit | null = null;
  for (const limit of now.limits) {
    if (!kinds.includes(limit.kind) || leftOf(limit) >= amountMinor) continue;
    if (!tightest || leftOf(limit) < leftOf(tightest)) tightest = limit;
  }
  if (!tightest) return null;
  const { kind, period } = tightest;
  const left = leftOf(tightest) > 0n ? leftOf(tightest) : 0n;
  const facts = { period, resetsMs: endOf(period, now.atMs) };
  return kind === 'deposit'
    ? reject('deposit-limit-reached', {
        ...facts,
        limitTokenMinor: tightest.amountMinor,
        leftTokenMinor: left,
      })
    : reject(`${kind}-limit-reached`, {
        ...facts,
        limitMinor: tightest.amountMinor,
        leftMinor: left,
      });
}

type Decided = readonly PlayerEvent[] | Rejection;

/**
 * Sets a limit, or removes it (null). A tightening holds at once and a loosening after a day; either takes the place of
 * a change that waits. What changes nothing is no event, so asking twice does not begin the wait anew.
 */
export function setLimit(state: PlayerState, command: SetLimit): Decided {
  if (!isRegistered(state)) return reject('not-registered');
  const { kind, period, amountMinor, operatorReason: reason } = command;
  if (reason !== undefined && !isReason(reason)) {
    return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  }
  assert(LIMIT_KINDS.includes(kind) && PERIODS.includes(period), 'a limit that there is');
  const inRange = amountMinor === null || (amountMinor >= 0n && amountMinor <= AMOUNT_MAX_MINOR);
  if (!inRange) return reject('limit-amount-invalid');
  const atMs = decidedAt(state, command.nowMs);
  const limit = findLimit(protectionAt(state, atMs), command);
  if (!limit && amountMinor === null) return [];
  const looser = limit !== null && (amountMinor === null || amountMinor > limit.amountMinor);
  const wanted = limit?.pending ? limit.pending.amountMinor : limit?.amountMinor;
  if (reason !== undefined && looser) return reject('limit-not-tighter');
  if (limit && wanted === amountMinor) return [];
  const fromMs = looser ? atMs + LOOSENING_DELAY_MS : atMs;
  const data = { atMs, kind, period, amountMinor, fromMs };
  const said = reason === undefined ? {} : { reason, notice: nextNotice(state) };
  return [{ type: 'LimitSet', data: { ...data, ...said } }];
}

/** Keeps the limit that holds and drops the loosening that waits. */
export function cancelLimitChange(state: PlayerState, command: CancelLimitChange): Decided {
  if (!isRegistered(state)) return reject('not-registered');
  const { kind, period } = command;
  const atMs = decidedAt(state, command.nowMs);
  if (!findLimit(protectionAt(state, atMs), command)?.pending) {
    return reject('no-pending-limit-change', { kind, period });
  }
  return [{ type: 'LimitChangeCancelled', data: { atMs, kind, period } }];
}

/** Excludes the player from play. One exclusion may take the place of another only to last longer. */
export function excludeSelf(state: PlayerState, command: ExcludeSelf): Decided {
  if (!isRegistered(state)) return reject('not-registered');
  const { operatorReason: reason } = command;
  if (reason !== undefined && !isReason(reason)) {
    return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  }
  const atMs = decidedAt(state, command.nowMs);
  const termMs = TERMS_MS[command.term];
  const untilMs = termMs === null ? null : atMs + termMs;
  const { excluded } = protectionAt(state, atMs);
  if (excluded && excluded.untilMs === untilMs) return [];
  if (excluded && (excluded.untilMs === null || (untilMs !== null && untilMs < excluded.untilMs))) {
    const facts = excluded.untilMs === null ? {} : { untilMs: excluded.untilMs };
    return reject('exclusion-not-shortened', facts);
  }
  const said = reason === undefined ? {} : { reason };
  return [{ type: 'SelfExcluded', data: { atMs, untilMs, ...said, notice: nextNotice(state) } }];
}

export function isCheckInterval(minutes: number): boolean {
  const [min, max] = [REALITY_CHECK_MIN_MINUTES, REALITY_CHECK_MAX_MINUTES];
  return Number.isInteger(minutes) && minutes >= min && minutes <= max;
}

/** Chooses the interval; a check that is due is acknowledged first, or choosing would be a way around it. */
export function setRealityCheck(state: PlayerState, command: SetRealityCheck): Decided {
  if (!isRegistered(state)) return reject('not-registered');
  const { everyMs } = command;
  if (everyMs !== null && !isCheckInterval(everyMs / MINUTE_MS)) {
    const [min, max] = [REALITY_CHECK_MIN_MINUTES, REALITY_CHECK_MAX_MINUTES];
    return reject('reality-check-interval-invalid', { min, max });
  }
  const atMs = decidedAt(state, command.nowMs);
  const now = protectionAt(state, atMs);
  const refused = refuseUnchecked(now, command.realityCheckMs);
  if (refused) return refused;
  if (now.realityCheck && now.realityCheck.everyMs === everyMs) return [];
  return [{ type: 'RealityCheckSet', data: { atMs, everyMs } }];
}

/** Says what the player was shown. Where no check is due, two devices may have acknowledged one: nothing changes. */
export function acknowledgeRealityCheck(
  state: PlayerState,
  command: AcknowledgeRealityCheck,
): Decided {
  if (!isRegistered(state)) return reject('not-registered');
  const atMs = decidedAt(state, command.nowMs);
  const { play, due } = checkOf(protectionAt(state, atMs), command.realityCheckMs);
  if (!due || !play) return [];
  const { sinceMs, stakedMinor, wonMinor } = play;
  return [{ type: 'RealityCheckAcknowledged', data: { atMs, sinceMs, stakedMinor, wonMinor } }];
}
