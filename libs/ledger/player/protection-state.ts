import { assert } from '../assert.ts';
import { MINUTE_MS, type Period, startOf } from '../calendar.ts';
import type { LimitKind, LimitSet, ProtectionEvent } from './protection-events.ts';

/**
 * What a player asked to be protected by, and what counts against it. The state of a player who never asked carries
 * nothing of it, and nothing here costs such a player anything.
 *
 * Time: every event that counts says its own time, `atMs`, the time that it was decided at. Windows, changes that wait
 * and exclusions follow from these times alone, so a replay gives the same states, and no timer is needed: what is due
 * takes place with the next event, and every reader looks at the state as of now. Within a stream time never runs
 * backwards: who decides by a clock that is behind decides at the time of the event before.
 *
 * Windows are those of the calendar in UTC: a counter and no history, and everybody knows when a month ends.
 */

/** A stake after so long without one begins another session. Longer than any round takes to play. */
export const PLAY_BREAK_MS = 15 * MINUTE_MS;

export interface Limit {
  readonly kind: LimitKind;
  readonly period: Period;
  readonly amountMinor: bigint;
  /** In the window that `Protection.atMs` falls in, since the limit was set. Below 0 after winning. */
  readonly usedMinor: bigint;
  /** A loosening that waits; an amount of null removes the limit. */
  readonly pending?: { readonly amountMinor: bigint | null; readonly fromMs: number };
}

/** A session of play, from its first stake to a break. */
export interface Play {
  readonly sinceMs: number;
  readonly lastMs: number;
  /** When the player last acknowledged a reality check, else `sinceMs`. */
  readonly checkedMs: number;
  readonly stakedMinor: bigint;
  readonly wonMinor: bigint;
}

export interface Protection {
  /** Of the last event that said its time. */
  readonly atMs: number;
  readonly limits: readonly Limit[];
  /** Null: for ever. */
  readonly excluded?: { readonly untilMs: number | null };
  /** The player's own choice of an interval; null for none. Without it the operator's holds. */
  readonly realityCheck?: { readonly everyMs: number | null };
  readonly play?: Play;
}

/** A state without `protection` is that of a player who never asked for any. */
export interface Protected {
  readonly protection?: Protection;
}

/** What protects a player at a time that is not before the last event's: windows begun anew, waiting changes in force. */
export function protectionAt({ protection }: Protected, timeMs: number): Protection {
  if (!protection) return { atMs: timeMs, limits: [] };
  const before = protection.atMs;
  assert(timeMs >= before, 'time does not run backwards in a stream');
  const { excluded, ...rest } = protection;
  return {
    ...rest,
    atMs: timeMs,
    limits: protection.limits.flatMap((limit) => limitAt(limit, before, timeMs) ?? []),
    ...(isOver(excluded, timeMs) ? {} : { excluded }),
  };
}

function limitAt(limit: Limit, beforeMs: number, timeMs: number): Limit | null {
  const { pending, ...rest } = limit;
  const due = pending !== undefined && pending.fromMs <= timeMs;
  const amountMinor = due ? pending.amountMinor : limit.amountMinor;
  if (amountMinor === null) return null;
  const begun = startOf(limit.period, timeMs) > beforeMs;
  const usedMinor = begun ? 0n : limit.usedMinor;
  return { ...rest, amountMinor, usedMinor, ...(pending && !due ? { pending } : {}) };
}

function isOver(excluded: Protection['excluded'], timeMs: number): boolean {
  return !excluded || (excluded.untilMs !== null && excluded.untilMs <= timeMs);
}

/** The interval that holds, and the session it is measured in. */
export function checkOf(now: Protection, realityCheckMs: number | null) {
  const everyMs = now.realityCheck ? now.realityCheck.everyMs : realityCheckMs;
  const play = now.play && now.atMs - now.play.lastMs < PLAY_BREAK_MS ? now.play : null;
  const nextMs = play && everyMs !== null ? play.checkedMs + everyMs : null;
  return { everyMs, play, nextMs, due: nextMs !== null && nextMs <= now.atMs };
}

/** What may still be used; below 0 where a limit was tightened beneath what was used. */
export function leftOf({ amountMinor, usedMinor }: Limit): bigint {
  return amountMinor - usedMinor;
}

/** The state after an event whose data may say its time. One that says none took place at the time of the one before. */
function after<State extends Protected>(
  state: State,
  atMs: number | undefined,
  change: (now: Protection) => Protection,
): State {
  const timeMs = atMs ?? state.protection?.atMs;
  if (timeMs === undefined) return state; // time does not count for this player
  return { ...state, protection: change(protectionAt(state, timeMs)) };
}

export function withStake<State extends Protected>(
  state: State,
  { stakeMinor, atMs }: { readonly stakeMinor: bigint; readonly atMs?: number },
): State {
  assert(atMs !== undefined || !state.protection, 'a stake of a player with limits says its time');
  return after(state, atMs, (now) => {
    const going = checkOf(now, null).play;
    const begun = { sinceMs: now.atMs, checkedMs: now.atMs, stakedMinor: 0n, wonMinor: 0n };
    const play = { ...(going ?? begun), lastMs: now.atMs };
    return {
      ...used(used(now, 'wager', stakeMinor), 'loss', stakeMinor),
      play: { ...play, stakedMinor: play.stakedMinor + stakeMinor },
    };
  });
}

/** A payout makes the loss less in the window that it arrives in. */
export function withPayout<State extends Protected>(
  state: State,
  { payoutMinor, atMs }: { readonly payoutMinor: bigint; readonly atMs?: number },
): State {
  return after(state, atMs, (now) => {
    const counted = used(now, 'loss', -payoutMinor);
    const { play } = counted;
    return play
      ? { ...counted, play: { ...play, wonMinor: play.wonMinor + payoutMinor } }
      : counted;
  });
}

/** A deposit counts when it is credited. */
export function withDeposit<State extends Protected>(
  state: State,
  { tokenMinor, atMs }: { readonly tokenMinor: bigint; readonly atMs?: number },
): State {
  return after(state, atMs, (now) => used(now, 'deposit', tokenMinor));
}

function used(now: Protection, kind: LimitKind, amountMinor: bigint): Protection {
  if (!now.limits.some((limit) => limit.kind === kind)) return now;
  const limits = now.limits.map((limit) =>
    limit.kind === kind ? { ...limit, usedMinor: limit.usedMinor + amountMinor } : limit,
  );
  return { ...now, limits };
}

/** The state at the time of an event that only says it. */
export function withTime<State extends Protected>(state: State, atMs: number | undefined): State {
  return after(state, atMs, (now) => now);
}

/** The state after an event that is about protection itself. */
export function withProtection<State extends Protected>(
  state: State,
  event: ProtectionEvent,
): State {
  return after(state, event.data.atMs, (now) => changed(now, event));
}

function changed(now: Protection, event: ProtectionEvent): Protection {
  switch (event.type) {
    case 'LimitSet':
      return withLimit(now, event.data);
    case 'LimitChangeCancelled': {
      const limits = now.limits.map((limit) => {
        if (!isOf(limit, event.data)) return limit;
        const { pending: _, ...kept } = limit;
        return kept;
      });
      return { ...now, limits };
    }
    case 'SelfExcluded':
      return { ...now, excluded: { untilMs: event.data.untilMs } };
    case 'RealityCheckSet':
      return { ...now, realityCheck: { everyMs: event.data.everyMs } };
    case 'RealityCheckAcknowledged':
      assert(now.play, 'a reality check is of a session');
      return { ...now, play: { ...now.play, checkedMs: now.atMs } };
  }
}

function withLimit(
  now: Protection,
  { kind, period, amountMinor, fromMs }: LimitSet['data'],
): Protection {
  const known = findLimit(now, { kind, period });
  const others = now.limits.filter((limit) => limit !== known);
  if (fromMs > now.atMs) {
    assert(known, 'what is loosened is there');
    return { ...now, limits: [...others, { ...known, pending: { amountMinor, fromMs } }] };
  }
  assert(amountMinor !== null, 'a limit is not removed at once');
  const usedMinor = known?.usedMinor ?? 0n;
  return { ...now, limits: [...others, { kind, period, amountMinor, usedMinor }] };
}

const isOf = (limit: Limit, { kind, period }: Pick<Limit, 'kind' | 'period'>) =>
  limit.kind === kind && limit.period === period;

export function findLimit(now: Protection, of: Pick<Limit, 'kind' | 'period'>): Limit | null {
  return now.limits.find((limit) => isOf(limit, of)) ?? null;
}
