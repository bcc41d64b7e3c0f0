import { MINUTE_MS, type Period } from '../calendar.ts';
import { type EventOf, ofPlayer, type PlayerDescriptorsOf, points, term } from '../descriptor.ts';
import type { Asset } from '../money.ts';
import type { Budgeted } from './budget.ts';
import type { Notice } from './notices.ts';

/** `deposit` counts token credited, `wager` points staked, `loss` points staked less points won. */
export const LIMIT_KINDS = ['deposit', 'loss', 'wager'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

export function assetOf(kind: LimitKind): Asset {
  return kind === 'deposit' ? 'token' : 'points';
}

/** Limits, exclusions and reality checks, set by the player or by operators. */
export interface ProtectionData {
  /**
   * The player limits deposits (token), losses or stakes (points) within a day, week or month; null removes the limit. It
   * applies from `fromMs`: `atMs` for a tightening, later for a loosening.
   */
  readonly LimitSet: Budgeted & {
    readonly atMs: number;
    readonly kind: LimitKind;
    readonly period: Period;
    readonly amountMinor: bigint | null;
    readonly fromMs: number;
    /** Used in the window of `atMs` before a limit that is the first of its kind and period; missing: 0. */
    readonly usedMinor?: bigint;
    /** The session before the player's first event with a time; missing: none. */
    readonly played?: Played;
    /** Of an operator's limit, which may only be tighter: the player is notified. */
    readonly reason?: string;
    readonly notice?: Notice;
  };
  /** The player cancelled a pending loosening. */
  readonly LimitChangeCancelled: {
    readonly atMs: number;
    readonly kind: LimitKind;
    readonly period: Period;
  };
  /** No stake and no intent to deposit until then; null is permanent. */
  readonly SelfExcluded: Budgeted & {
    readonly atMs: number;
    readonly untilMs: number | null;
    /** Of an operator's exclusion. */
    readonly reason?: string;
    readonly notice: Notice;
  };
  /** The interval of reality checks that the player chose; null for none. */
  readonly RealityCheckSet: Budgeted & {
    readonly atMs: number;
    readonly everyMs: number | null;
    /** As of `LimitSet`. */
    readonly played?: Played;
  };
  /** The player acknowledged how long this session lasts (since `sinceMs`), and the stakes and wins in it. */
  readonly RealityCheckAcknowledged: {
    readonly atMs: number;
    readonly sinceMs: number;
    readonly stakedMinor: bigint;
    readonly wonMinor: bigint;
  };
}

export type ProtectionEvent = EventOf<ProtectionData>;
export type LimitSet = EventOf<ProtectionData, 'LimitSet'>;
export type SelfExcluded = EventOf<ProtectionData, 'SelfExcluded'>;

/** A session of play. */
export interface Played {
  /** Of its first and its last stake. */
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly stakedMinor: bigint;
  readonly wonMinor: bigint;
}

/** A limit or an exclusion with a reason is an operator's; without one it is the player's own. */
const PLAYERS_OR_OPERATORS = {
  role: 'operator',
  act: {
    reason: ({ reason = '' }: { readonly reason?: string }) => reason,
    isOperators: (data: object) => 'reason' in data,
  },
} as const;

export const PROTECTION_EVENTS: PlayerDescriptorsOf<ProtectionEvent> = {
  LimitSet: {
    number: 16,
    visibleToPlayer: true,
    operator: PLAYERS_OR_OPERATORS,
    postings: null,
    sentence: [
      '{limit} limit per {period}: {amount}',
      ({ kind, period, amountMinor: minor }) => ({
        limit: term(kind),
        period: term(period),
        amount: minor === null ? term('none') : { asset: assetOf(kind), minor },
      }),
    ],
  },
  LimitChangeCancelled: ofPlayer(17, [
    '{limit} limit of a {period} stays as it is',
    ({ kind, period }) => ({ limit: term(kind), period: term(period) }),
  ]),
  SelfExcluded: {
    number: 18,
    visibleToPlayer: true,
    operator: PLAYERS_OR_OPERATORS,
    postings: null,
    sentence: ['excluded {until}', ({ untilMs }) => ({ until: { untilMs } })],
  },
  RealityCheckSet: ofPlayer(19, [
    'minutes between reality checks: {minutes}',
    ({ everyMs }) => ({ minutes: everyMs === null ? term('none') : everyMs / MINUTE_MS }),
  ]),
  RealityCheckAcknowledged: ofPlayer(20, [
    'reality check seen: {staked} staked, {won} won',
    ({ stakedMinor, wonMinor }) => ({ staked: points(stakedMinor), won: points(wonMinor) }),
  ]),
};

/** The terms of a self-exclusion; null is permanent. */
export const EXCLUSION_TERMS = ['24h', '7d', '30d', '180d', 'permanent'] as const;
export type ExclusionTerm = (typeof EXCLUSION_TERMS)[number];

export type ProtectionCommand =
  | SetLimit
  | CancelLimitChange
  | ExcludeSelf
  | SetRealityCheck
  | AcknowledgeRealityCheck;

/** A limit in minor units, of token for deposits and of points otherwise; null removes it. */
export interface SetLimit {
  readonly type: 'SetLimit';
  readonly nowMs: number;
  readonly kind: LimitKind;
  readonly period: Period;
  readonly amountMinor: bigint | null;
  /** Used in its window before it, counted from the player's events; needed if `needsCount`. */
  readonly usedMinor?: bigint;
  /** The session under way, counted in the same way, of a player without protection. */
  readonly played?: Played;
  /** An operator sets it, for a reason: tighter only. */
  readonly operatorReason?: string;
}

export interface CancelLimitChange {
  readonly type: 'CancelLimitChange';
  readonly nowMs: number;
  readonly kind: LimitKind;
  readonly period: Period;
}

export interface ExcludeSelf {
  readonly type: 'ExcludeSelf';
  readonly nowMs: number;
  readonly term: ExclusionTerm;
  /** An operator excludes the player, for a reason. */
  readonly operatorReason?: string;
}

export interface SetRealityCheck {
  readonly type: 'SetRealityCheck';
  readonly nowMs: number;
  /** Minutes; null for none. */
  readonly everyMs: number | null;
  /** As of `SetLimit`. */
  readonly played?: Played;
  /** The operator's interval, which applies until the player chooses one. */
  readonly realityCheckMs: number | null;
}

export interface AcknowledgeRealityCheck {
  readonly type: 'AcknowledgeRealityCheck';
  readonly nowMs: number;
  readonly realityCheckMs: number | null;
}
