import { assert } from '../assert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, PERIODS } from '../calendar.ts';
import { AMOUNT_MAX_MINOR } from '../money.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type { PlayerEvent } from './events.ts';
import { nextNotice } from './notices.ts';
import {
  type AcknowledgeRealityCheck,
  type CancelLimitChange,
  type ExcludeSelf,
  type ExclusionTerm,
  LIMIT_KINDS,
  type SetLimit,
  type SetRealityCheck,
} from './protection-events.ts';
import {
  checkOf,
  decidedAt,
  findLimit,
  protectionAt,
  refuseUnchecked,
} from './protection-state.ts';
import { isRegistered, type PlayerState } from './state.ts';

/** The delay of a loosening; a tightening applies immediately. */
export const LOOSENING_DELAY_MS = DAY_MS;
const TERMS_MS: Readonly<Record<ExclusionTerm, number | null>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '180d': 180 * DAY_MS,
  permanent: null,
};

export const REALITY_CHECK_MIN_MINUTES = 5;
export const REALITY_CHECK_MAX_MINUTES = (24 * HOUR_MS) / MINUTE_MS;

type Decided = readonly PlayerEvent[] | Rejection;

/**
 * Sets a limit, or removes it (null). A tightening applies immediately and a loosening after a day; either replaces a
 * pending change. A request that changes nothing appends no event, so repeating it does not restart the delay.
 */
export function setLimit(state: PlayerState, command: SetLimit): Decided {
  if (!isRegistered(state)) return reject('not-registered');
  const { kind, period, amountMinor, usedMinor = 0n, operatorReason: reason } = command;
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
  const used = limit || usedMinor === 0n ? {} : { usedMinor };
  const data = {
    atMs,
    kind,
    period,
    amountMinor,
    fromMs,
    ...used,
    ...playedBefore(state, command),
  };
  const byOperator = reason === undefined ? {} : { reason, notice: nextNotice(state) };
  return [{ type: 'LimitSet', data: { ...data, ...byOperator } }];
}

/** A player's events have times from the first such event on, which therefore has the session before it. */
function playedBefore({ protection }: PlayerState, { played }: Pick<SetLimit, 'played'>) {
  return protection || !played ? {} : { played };
}

/** Whether the player has no such limit yet: what its window contains already is counted before it is set. */
export function needsCount(state: PlayerState, command: SetLimit): boolean {
  const now = protectionAt(state, decidedAt(state, command.nowMs));
  return command.amountMinor !== null && !findLimit(now, command);
}

/**
 * Whether the budget never refuses it: the first limit of its kind, or half of it or less; an exclusion where none is in
 * force, permanent, or longer by a day or more.
 */
export function isNeverRefused(state: PlayerState, command: SetLimit | ExcludeSelf): boolean {
  const atMs = decidedAt(state, command.nowMs);
  const now = protectionAt(state, atMs);
  if (command.type === 'SetLimit') {
    const { amountMinor } = command;
    const limit = findLimit(now, command);
    return amountMinor !== null && (!limit || 2n * amountMinor <= limit.amountMinor);
  }
  const untilMs = endOf(command.term, atMs);
  return untilMs === null || !now.excluded || untilMs - (now.excluded.untilMs ?? untilMs) >= DAY_MS;
}

/** Null: permanent. */
function endOf(term: ExclusionTerm, fromMs: number): number | null {
  const termMs = TERMS_MS[term];
  return termMs === null ? null : fromMs + termMs;
}

/** Keeps the limit in force and cancels its pending loosening. */
export function cancelLimitChange(state: PlayerState, command: CancelLimitChange): Decided {
  if (!isRegistered(state)) return reject('not-registered');
  const { kind, period } = command;
  const atMs = decidedAt(state, command.nowMs);
  if (!findLimit(protectionAt(state, atMs), command)?.pending) {
    return reject('no-pending-limit-change', { kind, period });
  }
  return [{ type: 'LimitChangeCancelled', data: { atMs, kind, period } }];
}

/** Excludes the player from play. A later exclusion may only last longer, by a minute or more: else it changes nothing. */
export function excludeSelf(state: PlayerState, command: ExcludeSelf): Decided {
  if (!isRegistered(state)) return reject('not-registered');
  const { operatorReason: reason } = command;
  if (reason !== undefined && !isReason(reason)) {
    return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  }
  const atMs = decidedAt(state, command.nowMs);
  const untilMs = endOf(command.term, atMs);
  const { excluded } = protectionAt(state, atMs);
  if (excluded && isSame(excluded.untilMs, untilMs)) return [];
  if (excluded && (excluded.untilMs === null || (untilMs !== null && untilMs < excluded.untilMs))) {
    const facts = excluded.untilMs === null ? {} : { untilMs: excluded.untilMs };
    return reject('exclusion-not-shortened', facts);
  }
  const byOperator = reason === undefined ? {} : { reason };
  return [
    { type: 'SelfExcluded', data: { atMs, untilMs, ...byOperator, notice: nextNotice(state) } },
  ];
}

function isSame(beforeMs: number | null, untilMs: number | null): boolean {
  if (beforeMs === null || untilMs === null) return beforeMs === untilMs;
  return untilMs >= beforeMs && untilMs < beforeMs + MINUTE_MS;
}

export function isCheckInterval(minutes: number): boolean {
  const [min, max] = [REALITY_CHECK_MIN_MINUTES, REALITY_CHECK_MAX_MINUTES];
  return Number.isInteger(minutes) && minutes >= min && minutes <= max;
}

/** Chooses the interval. A due check must be acknowledged first, so that choosing cannot avoid it. */
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
  const data = { atMs, everyMs, ...playedBefore(state, command) };
  return [{ type: 'RealityCheckSet', data }];
}

/** Records what the player was shown. If no check is due, another device acknowledged it: nothing changes. */
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
