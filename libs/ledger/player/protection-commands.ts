import type { Period } from '../calendar.ts';
import type { LimitKind, Played } from './protection-events.ts';

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
