import type { Period } from '../calendar.ts';
import type { Notice } from './notices.ts';

/** `deposit` counts token credited, `wager` points staked, `loss` points staked less points won. */
export const LIMIT_KINDS = ['deposit', 'loss', 'wager'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** What a player asked to be protected by, and what operators did to protect. */
export type ProtectionEvent =
  | LimitSet
  | LimitChangeCancelled
  | SelfExcluded
  | RealityCheckSet
  | RealityCheckAcknowledged;

/**
 * The player limits what may be deposited (token), lost or staked (points) in a day, week or month; null removes the
 * limit. It holds from `fromMs` on: `atMs` for a tightening, later for a loosening.
 */
export interface LimitSet {
  readonly type: 'LimitSet';
  readonly data: {
    readonly atMs: number;
    readonly kind: LimitKind;
    readonly period: Period;
    readonly amountMinor: bigint | null;
    readonly fromMs: number;
    /** Of an operator's, who may only tighten: the player is told. */
    readonly reason?: string;
    readonly notice?: Notice;
  };
}

/** The player thought better of a loosening that waited. */
export interface LimitChangeCancelled {
  readonly type: 'LimitChangeCancelled';
  readonly data: { readonly atMs: number; readonly kind: LimitKind; readonly period: Period };
}

/** No stake and no intent to deposit until then; null is for ever. */
export interface SelfExcluded {
  readonly type: 'SelfExcluded';
  readonly data: {
    readonly atMs: number;
    readonly untilMs: number | null;
    /** Of an operator's: then the player was excluded by another. */
    readonly reason?: string;
    readonly notice: Notice;
  };
}

/** The interval of reality checks that the player chose; null for none. */
export interface RealityCheckSet {
  readonly type: 'RealityCheckSet';
  readonly data: { readonly atMs: number; readonly everyMs: number | null };
}

/** The player has seen how long this session lasts (since `sinceMs`), and what was staked and won in it. */
export interface RealityCheckAcknowledged {
  readonly type: 'RealityCheckAcknowledged';
  readonly data: {
    readonly atMs: number;
    readonly sinceMs: number;
    readonly stakedMinor: bigint;
    readonly wonMinor: bigint;
  };
}
