import type { Asset } from '../money.ts';
import type { Balances } from '../player/balances.ts';
import type { Confirmed, ProposalAct } from '../proposals.ts';
import type { ReadModelEvent } from './read-model-acts.ts';
import type { Role } from './roles.ts';

/** What stands in the stream `operators`. Who did it is the actor in the event's meta. It moves no money. */
export type OperatorEvent =
  | OperatorAdded
  | OperatorRoleChanged
  | OperatorRevoked
  | RoleProposed
  | RoleApproved
  | RoleWithdrawn
  | OperatorSignedIn
  | OperatorAccessDenied
  | AllowanceUsed
  | ReadModelEvent;

/** The roles before and after; null is no operator. */
export interface RoleGiven<Before, After> {
  /** A wallet address. */
  readonly operator: string;
  readonly roleBefore: Before;
  readonly roleAfter: After;
  readonly reason: string;
}

export interface OperatorAdded {
  readonly type: 'OperatorAdded';
  readonly data: RoleGiven<null, Role> & { readonly proposal?: Confirmed };
}

export interface OperatorRoleChanged {
  readonly type: 'OperatorRoleChanged';
  readonly data: RoleGiven<Role, Role> & { readonly proposal?: Confirmed };
}

export interface OperatorRevoked {
  readonly type: 'OperatorRevoked';
  readonly data: RoleGiven<Role, null>;
}

/** A role that takes two admins: to be given, or to be raised. */
export interface RoleProposed {
  readonly type: 'RoleProposed';
  readonly data: RoleGiven<Role | null, Role> & { readonly by: string };
}

export interface RoleApproved {
  readonly type: 'RoleApproved';
  readonly data: ProposalAct;
}

export interface RoleWithdrawn {
  readonly type: 'RoleWithdrawn';
  readonly data: ProposalAct;
}

export interface OperatorSignedIn {
  readonly type: 'OperatorSignedIn';
  readonly data: {
    readonly operator: string;
    readonly role: Role;
    /** A keyed hash of the session's token, as in SessionStarted. */
    readonly session: string;
    readonly method: SignInMethod;
    /** By the clock of the service. */
    readonly atMs: number;
  };
}

/** `link` is the one-time link that a standalone prints. */
export type SignInMethod = 'wallet' | 'link';

/**
 * A wallet that is no operator (any more) signed in, or an operator called what their role may not (`route`). Counted by
 * the hour, so that strangers cannot fill the book; what is beyond the count stands in the log alone.
 */
export interface OperatorAccessDenied {
  readonly type: 'OperatorAccessDenied';
  readonly data: {
    readonly operator: string;
    readonly reason: 'unknown' | 'revoked' | 'role';
    readonly role: Role | null;
    /** `GET /admin/...`: what was asked for; null for a sign-in. */
    readonly route: string | null;
    readonly atMs: number;
  };
}

/** What one operator adjusts or gives back alone, of any player, is counted by the day, before the balance moves. */
export interface AllowanceUsed {
  readonly type: 'AllowanceUsed';
  readonly data: {
    readonly operator: string;
    /** The wallet of whose balance is adjusted. */
    readonly player: string;
    readonly asset: Asset;
    readonly deltaMinor: bigint;
    /** The round whose stake is given back; not there for an adjustment. */
    readonly round?: string;
    /** In UTC, counted from 1970. */
    readonly day: number;
    /** Adjusted or given back alone by the operator on that day, whichever way it went. */
    readonly usedBefore: Balances;
    readonly usedAfter: Balances;
  };
}
