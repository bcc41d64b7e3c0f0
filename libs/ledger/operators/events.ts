import { type DescriptorsOf, type EventOf, movesNothing, name, term } from '../descriptor.ts';
import type { Asset } from '../money.ts';
import type { Balances } from '../player/balances.ts';
import type { Agreed } from '../proposals.ts';
import { FINDING_EVENTS, type FindingEvent } from './findings.ts';
import type { ReadModelEvent } from './projection-actions.ts';
import { PROPOSAL_EVENTS, type ProposalEvent } from './proposals.ts';
import { type LedgerRestored, RESTORE_EVENTS } from './restores.ts';
import type { Role } from './roles.ts';

/** The events of the stream `operators`. The actor is in the event's meta. They move no money. */
export interface OperatorData {
  readonly OperatorAdded: RoleGiven<null, Role> & { readonly proposal?: Agreed };
  readonly OperatorRoleChanged: RoleGiven<Role, Role> & { readonly proposal?: Agreed };
  readonly OperatorRevoked: RoleGiven<Role, null>;
  readonly OperatorSignedIn: {
    readonly operator: string;
    readonly role: Role;
    /** A keyed hash of the secret in the session's token, as in SessionStarted. */
    readonly session: string;
    readonly method: SignInMethod;
    /** By the clock of the service. */
    readonly atMs: number;
    /** As in OperatorActionsReserved: actions that a sign-in reserves. */
    readonly budgetMs?: number;
  };
  readonly OperatorSignedOut: { readonly operator: string; readonly session: string };
  /**
   * A wallet that is not an operator (any more) signed in, or an operator called a route that the role does not allow
   * (`route`). Limited by the hour, so that unknown wallets cannot fill the ledger; further ones are only logged.
   */
  readonly OperatorAccessDenied: {
    readonly operator: string;
    readonly reason: 'unknown' | 'revoked' | 'role';
    readonly role: Role | null;
    /** The requested route, such as `GET /admin/...`; null for a sign-in. */
    readonly route: string | null;
    readonly atMs: number;
  };
  /** Counts per day what one operator adjusts or returns alone, for all players. It precedes the event that moves the balance. */
  readonly AllowanceUsed: {
    readonly operator: string;
    /** The wallet of the player. */
    readonly player: string;
    readonly asset: Asset;
    readonly deltaMinor: bigint;
    /** The round whose stake is returned; missing for an adjustment. */
    readonly round?: string;
    /** In UTC, counted from 1970. */
    readonly day: number;
    /** The absolute sum of the operator on that day. */
    readonly usedBefore: Balances;
    readonly usedAfter: Balances;
  };
  /** Actions that the operator may append, of the budget of a day. */
  readonly OperatorActionsReserved: {
    readonly operator: string;
    readonly actions: number;
    /** When all actions of a day are regained. */
    readonly budgetMs: number;
  };
  /** The name that operators see with the wallet, given by the operator or by an admin. */
  readonly OperatorNamed: {
    readonly operator: string;
    readonly nameBefore: string | null;
    readonly nameAfter: string;
    readonly reason: string;
  };
}

export type OperatorEvent =
  | EventOf<OperatorData>
  | ProposalEvent
  | ReadModelEvent
  | FindingEvent
  | LedgerRestored;
export type OperatorAdded = EventOf<OperatorData, 'OperatorAdded'>;
export type OperatorRoleChanged = EventOf<OperatorData, 'OperatorRoleChanged'>;
export type OperatorSignedIn = EventOf<OperatorData, 'OperatorSignedIn'>;
export type OperatorAccessDenied = EventOf<OperatorData, 'OperatorAccessDenied'>;
export type AllowanceUsed = EventOf<OperatorData, 'AllowanceUsed'>;
export type OperatorNamed = EventOf<OperatorData, 'OperatorNamed'>;

/** The roles before and after; null: not an operator. */
export interface RoleGiven<Before, After> {
  /** A wallet address. */
  readonly operator: string;
  readonly roleBefore: Before;
  readonly roleAfter: After;
  readonly reason: string;
}

/** `link` is the one-time link that a standalone prints. */
export type SignInMethod = 'wallet' | 'link';

export const OPERATOR_EVENTS: DescriptorsOf<OperatorEvent> = {
  OperatorAdded: movesNothing(1, { role: 'admin', act: null }, [
    '{operator} added as {role}',
    ({ operator, roleAfter }) => ({ operator: name(operator), role: term(roleAfter) }),
  ]),
  OperatorRoleChanged: movesNothing(2, { role: 'admin', act: null }, [
    '{operator} changed from {before} to {after}',
    ({ operator, roleBefore, roleAfter }) => ({
      operator: name(operator),
      before: term(roleBefore),
      after: term(roleAfter),
    }),
  ]),
  OperatorRevoked: movesNothing(3, { role: 'admin', act: null }, [
    '{operator} revoked, was {before}',
    ({ operator, roleBefore }) => ({ operator: name(operator), before: term(roleBefore) }),
  ]),
  OperatorSignedIn: movesNothing(7, { role: 'viewer', act: null }, [
    '{operator} signed in as {role}',
    ({ operator, role }) => ({ operator: name(operator), role: term(role) }),
  ]),
  OperatorAccessDenied: movesNothing(8, { role: 'any', act: null }, [
    'access denied for {operator}: {why}',
    ({ operator, reason }) => ({ operator: name(operator), why: term(reason) }),
  ]),
  AllowanceUsed: movesNothing(9, { role: 'operator', act: null }, [
    '{operator} used {amount} of the daily allowance',
    ({ operator, asset, deltaMinor: minor }) => ({
      operator: name(operator),
      amount: { asset, minor },
    }),
  ]),
  ReadModelOperationStarted: movesNothing(
    10,
    {
      role: ({ operation }) => (operation === 'rebuild' ? 'auditor' : 'operator'),
      act: null,
    },
    [
      '{act} of {model} started: {reason}',
      ({ operation, readModel, reason }) => ({ act: term(operation), model: readModel, reason }),
    ],
  ),
  ReadModelOperationCancelled: movesNothing(11, { role: 'auditor', act: null }, [
    '{act} of {model}, cancellation requested: {reason}',
    ({ operation, readModel, reason }) => ({ act: term(operation), model: readModel, reason }),
  ]),
  ReadModelOperationFinished: movesNothing(12, null, [
    '{act} of {model}: {outcome}',
    ({ operation, readModel, outcome }) => ({
      act: term(operation),
      model: readModel,
      outcome: term(outcome),
    }),
  ]),
  OperatorNamed: movesNothing(13, { role: 'viewer', act: null }, [
    '{operator} named {name}: {reason}',
    ({ operator, nameAfter, reason }) => ({ operator: name(operator), name: nameAfter, reason }),
  ]),
  OperatorSignedOut: movesNothing(14, { role: 'viewer', act: null }, [
    '{operator} signed out',
    ({ operator }) => ({ operator: name(operator) }),
  ]),
  ...FINDING_EVENTS,
  ...PROPOSAL_EVENTS,
  ...RESTORE_EVENTS,
  OperatorActionsReserved: movesNothing(18, { role: 'viewer', act: null }, [
    '{count} actions reserved for {operator}',
    ({ operator, actions }) => ({ count: actions, operator: name(operator) }),
  ]),
};
