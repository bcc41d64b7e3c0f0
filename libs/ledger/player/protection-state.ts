import { assert } from '../assert.ts';
import { endOf, MINUTE_MS, type Period, startOf } from '../calendar.ts';
import type { AnyEvent } from '../events.ts';
import { type Rejection, reject } from '../rejections.ts';
import type { LimitKind, LimitSet, Played, ProtectionEvent } from './protection-events.ts';
import type { Standing } from './standing.ts';

/**
 * The limits, exclusion and reality checks of a player: what counts towards them and what they refuse. The state of a
 * player without any has no `protection`, and such a player's commands pay no cost for it.
 *
 * Time: every event that counts has the time of its decision, `atMs`. Windows, pending changes and exclusions follow from
 * these times alone, so a replay gives the same states and no timer is needed: a due change takes effect with the next
 * event, and every reader evaluates the state as of now. Within a stream time never decreases: with a late clock, the
 * time of the previous event is used.
 *
 * Windows are calendar periods in UTC, so a counter is enough and no history is needed.
 */

/** A stake after a break of this length begins another session. Longer than any round. */
export const PLAY_BREAK_MS = 15 * MINUTE_MS;

export interface Limit {
  readonly kind: LimitKind;
  readonly period: Period;
  readonly amountMinor: bigint;
  /** In the window that `Protection.atMs` falls in. Below 0 after winning. */
  readonly usedMinor: bigint;
  /** A pending loosening; an amount of null removes the limit. */
  readonly pending?: { readonly amountMinor: bigint | null; readonly fromMs: number };
}

/** A session of play, from its first stake to a break. */
export interface Play extends Played {
  /** When the player last acknowledged a reality check, else `sinceMs`. */
  readonly checkedMs: number;
}

export interface Protection {
  /** Of the last event with a time. */
  readonly atMs: number;
  readonly limits: readonly Limit[];
  /** Null: permanent. */
  readonly excluded?: { readonly untilMs: number | null };
  /** The player's own choice of an interval; null for none. Missing: the operator's applies. */
  readonly realityCheck?: { readonly everyMs: number | null };
  readonly play?: Play;
}

/** A state without `protection` is of a player who never had any. */
export interface Protected {
  readonly protection?: Protection;
}

/** The protection at a time not before the last event's: with new windows begun and due changes in force. */
export function protectionAt({ protection }: Protected, timeMs: number): Protection {
  if (!protection) return { atMs: timeMs, limits: [] };
  const before = protection.atMs;
  assert(timeMs >= before, 'time does not decrease in a stream');
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

/** The interval in force, and the session in which it is measured. */
export function checkOf(now: Protection, realityCheckMs: number | null) {
  const everyMs = now.realityCheck ? now.realityCheck.everyMs : realityCheckMs;
  const play = now.play && now.atMs - now.play.lastMs < PLAY_BREAK_MS ? now.play : null;
  const nextMs = play && everyMs !== null ? play.checkedMs + everyMs : null;
  return { everyMs, play, nextMs, due: nextMs !== null && nextMs <= now.atMs };
}

/** The amount left; below 0 if the limit was tightened below the used amount. */
export function leftOf({ amountMinor, usedMinor }: Limit): bigint {
  return amountMinor - usedMinor;
}

/** The terms that decide a stake, with the state. */
export interface PlayTerms {
  /** Null where `needsTime` is false. */
  readonly nowMs: number | null;
  /** The operator's interval of reality checks, for players who chose none; null for none. */
  readonly realityCheckMs: number | null;
}

export const NO_PLAY_TERMS: PlayTerms = { nowMs: null, realityCheckMs: null };

/** Whether time is recorded for this player: decisions on money then need it, and their events have it. */
export function needsTime(state: Protected, realityCheckMs: number | null): boolean {
  return state.protection !== undefined || realityCheckMs !== null;
}

/** The time of an event; empty where time is not recorded. Spread into the event's data. */
export function timeOf(state: Protected, terms: PlayTerms): { readonly atMs?: number } {
  if (!needsTime(state, terms.realityCheckMs)) return {};
  return { atMs: decidedAt(state, terms.nowMs) };
}

/** The time to decide at: never before that of an earlier event of the stream. */
export function decidedAt({ protection }: Protected, nowMs: number | null): number {
  assert(nowMs !== null && Number.isSafeInteger(nowMs), 'the command has the time');
  return Math.max(nowMs, protection?.atMs ?? 0);
}

/** The guard of every stake, of bets and of games' fees. A stake counts as lost until its round has paid. */
export function refuseStake(
  state: Protected & Standing,
  stakeMinor: bigint,
  terms: PlayTerms,
): Rejection | null {
  const suspended = refuseSuspended(state);
  if (suspended) return suspended;
  if (!state.protection) return null; // the first stake begins a session: no check can be due
  const now = protectionAt(state, decidedAt(state, terms.nowMs));
  return (
    refuseExcluded(now) ??
    refuseUnchecked(now, terms.realityCheckMs) ??
    refuseBeyond(now, ['loss', 'wager'], stakeMinor)
  );
}

/**
 * Whether the player's own limits or exclusion refuse the intent to deposit. A deposit that arrives is credited anyway.
 * Deposits on their way count as if they had arrived now. Amounts in minor units of token.
 */
export function refuseDepositIntent(
  state: Protected & Standing,
  deposit: {
    readonly amountMinor: bigint;
    readonly onItsWayMinor: bigint;
    readonly timeMs: number;
  },
): Rejection | null {
  const suspended = refuseSuspended(state);
  if (suspended) return suspended;
  if (!state.protection) return null;
  const atMs = decidedAt(state, deposit.timeMs);
  const arrived = withDeposit(state, { tokenMinor: deposit.onItsWayMinor, atMs });
  const now = protectionAt(arrived, atMs);
  return refuseExcluded(now) ?? refuseBeyond(now, ['deposit'], deposit.amountMinor);
}

/** Whether exclusion or suspension refuses buying points with token, a step to gambling. Selling points is always possible. */
export function refuseBuyingPoints(
  state: Protected & Standing,
  terms: PlayTerms,
): Rejection | null {
  const suspended = refuseSuspended(state);
  if (suspended) return suspended;
  if (!state.protection) return null;
  return refuseExcluded(protectionAt(state, decidedAt(state, terms.nowMs)));
}

/** As exclusion: a suspended player can exchange points for token and withdraw, but not play or deposit. */
function refuseSuspended(state: Standing): Rejection | null {
  return state.standing?.suspended ? reject('player-suspended') : null;
}

function refuseExcluded({ excluded }: Protection): Rejection | null {
  if (!excluded) return null;
  const { untilMs } = excluded;
  return reject('self-excluded', untilMs === null ? {} : { untilMs: untilMs });
}

export function refuseUnchecked(now: Protection, realityCheckMs: number | null): Rejection | null {
  const { play, due } = checkOf(now, realityCheckMs);
  if (!due || !play) return null;
  const { stakedMinor, wonMinor } = play;
  const minutes = Math.floor((now.atMs - play.sinceMs) / MINUTE_MS);
  const netMinor = wonMinor - stakedMinor;
  return reject('reality-check-due', { minutes, stakedMinor, wonMinor, netMinor });
}

/** Refuses by the limit with the least left. */
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

/** The state after an event whose data may have a time. Without one, the time of the previous event is used. */
function after<State extends Protected>(
  state: State,
  atMs: number | undefined,
  change: (now: Protection) => Protection,
): State {
  const timeMs = atMs ?? state.protection?.atMs;
  if (timeMs === undefined) return state; // time is not recorded for this player
  return { ...state, protection: change(protectionAt(state, timeMs)) };
}

export function withStake<State extends Protected>(
  state: State,
  { stakeMinor, atMs }: { readonly stakeMinor: bigint; readonly atMs?: number },
): State {
  assert(atMs !== undefined || !state.protection, 'a stake of a player with limits has its time');
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

/** A payout reduces the loss of the window in which it arrives. */
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

/** What an event uses of limits of a kind. */
export function usedBy({ type, data }: AnyEvent, kind: LimitKind): bigint {
  if (kind === 'deposit') return type === 'DepositCredited' ? data.amountMinor : 0n;
  if (type === 'BetPlaced') return data.stakeMinor;
  if (kind === 'wager') return 0n;
  if (type === 'BetWon') return -data.payoutMinor;
  return type === 'BetVoided' ? -data.stakeMinor : 0n;
}

function used(now: Protection, kind: LimitKind, amountMinor: bigint): Protection {
  if (!now.limits.some((limit) => limit.kind === kind)) return now;
  const limits = now.limits.map((limit) =>
    limit.kind === kind ? { ...limit, usedMinor: limit.usedMinor + amountMinor } : limit,
  );
  return { ...now, limits };
}

/** The state after an event of which only the time counts. */
export function withTime<State extends Protected>(state: State, atMs: number | undefined): State {
  return after(state, atMs, (now) => now);
}

/** The state after an event that is about protection itself. */
export function withProtection<State extends Protected>(
  state: State,
  event: ProtectionEvent,
): State {
  return after(state, event.data.atMs, (now) => changed(withPlayed(now, event), event));
}

function withPlayed(now: Protection, { data }: ProtectionEvent): Protection {
  const played = 'played' in data ? data.played : undefined;
  return played ? { ...now, play: { ...played, checkedMs: played.sinceMs } } : now;
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
      assert(now.play, 'a reality check belongs to a session');
      return { ...now, play: { ...now.play, checkedMs: now.atMs } };
  }
}

function withLimit(
  now: Protection,
  { kind, period, amountMinor, fromMs, usedMinor: before = 0n }: LimitSet['data'],
): Protection {
  const known = findLimit(now, { kind, period });
  const others = now.limits.filter((limit) => limit !== known);
  if (fromMs > now.atMs) {
    assert(known, 'a loosened limit exists');
    return { ...now, limits: [...others, { ...known, pending: { amountMinor, fromMs } }] };
  }
  assert(amountMinor !== null, 'a limit is not removed immediately');
  const usedMinor = known?.usedMinor ?? before;
  return { ...now, limits: [...others, { kind, period, amountMinor, usedMinor }] };
}

const isOf = (limit: Limit, { kind, period }: Pick<Limit, 'kind' | 'period'>) =>
  limit.kind === kind && limit.period === period;

export function findLimit(now: Protection, of: Pick<Limit, 'kind' | 'period'>): Limit | null {
  return now.limits.find((limit) => isOf(limit, of)) ?? null;
}
