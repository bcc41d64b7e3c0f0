import { assert, unreachable } from '../assert.ts';
import { HOUR_MS } from '../calendar.ts';
import type { Decider } from '../decider.ts';
import { isAsApproved } from '../fingerprint.ts';
import type { BudgetTerms } from '../player/budget.ts';
import type { Agreed, ProposedCommand } from '../proposals.ts';
import { isRejection, type Rejection, reject } from '../rejections.ts';
import { WALLET_PATTERN } from '../streams.ts';
import { ACTIONS_AT_ONCE, type ReserveActions, reserveActions } from './action-budget.ts';
import { type UseAllowance, useAllowance } from './allowance.ts';
import {
  actOnProposal,
  approvedProposal,
  evolveProposals,
  type ProposalCommand,
} from './approval.ts';
import type { OperatorAccessDenied, OperatorData, OperatorEvent } from './events.ts';
import {
  type AcceptFinding,
  acceptFinding,
  evolveFindings,
  type RecordFindings,
  recordFindings,
} from './findings.ts';
import { type NameOperator, nameOperator } from './names.ts';
import { actOnReadModel, type ReadModelCommand } from './projection-actions.ts';
import { evolveRestores, type RestoreLedger, restoredTo, restoreLedger } from './restores.ts';
import { changeRole, type RoleCommand, raiseRole } from './role-changes.ts';
import { hasSession, mayApprove, type OperatorsState, roleOf, withSession } from './state.ts';

/** Recorded refusals in an hour; further ones of unknown wallets are only logged. */
export const REFUSALS_AN_HOUR_MAX = 30;

export type OperatorCommand =
  | RoleCommand
  | ExecuteHere
  | RestoreLedger
  | ProposalCommand
  | SignInOperator
  | SignOutOperator
  | RefuseOperator
  | ReserveActions
  | UseAllowance
  | NameOperator
  | ReadModelCommand
  | RecordFindings
  | AcceptFinding;

/** A login with a verified signature. A wallet that is not an operator is refused, and the refusal is recorded. */
export interface SignInOperator
  extends Omit<OperatorData['OperatorSignedIn'], 'role' | 'budgetMs'> {
  readonly type: 'SignInOperator';
  /** Added by the console. */
  readonly budget?: BudgetTerms;
}

export interface SignOutOperator {
  readonly type: 'SignOutOperator';
  readonly operator: string;
  readonly session: string;
}

/** An operator requested an action that the role does not allow. */
export interface RefuseOperator {
  readonly type: 'RefuseOperator';
  readonly operator: string;
  readonly route: string;
  readonly atMs: number;
}

/** Puts an approved proposal of this stream into force. */
export interface ExecuteHere {
  readonly type: 'ExecuteHere';
  readonly proposal: number;
}

/** Those with an effect in this stream. */
export type ProposedHere = Extract<ProposedCommand, { readonly kind: 'role' | 'restore' }>;

export const operatorsDecider: Decider<OperatorsState, OperatorCommand, OperatorEvent> = {
  kind: 'operators',
  stateSchema: 7,
  initial: {
    operators: {},
    refused: { hour: 0, count: 0 },
    version: 0,
    adminsEver: 0,
    proposals: [],
    sessions: [],
  },
  decide,
  evolve: (state, event) => ({ ...evolve(state, event), version: state.version + 1 }),
};

function decide(
  state: OperatorsState,
  command: OperatorCommand,
): readonly OperatorEvent[] | Rejection {
  if ('readModel' in command) return actOnReadModel(command);
  if ('loss' in command) return restoreLedger(state, command);
  switch (command.type) {
    case 'Propose':
    case 'Approve':
    case 'Withdraw':
    case 'EndProposal':
      return actOnProposal(state, command);
    case 'ExecuteHere':
      return executeHere(state, command);
    default:
  }
  if ('findings' in command) return recordFindings(state.findings, command);
  if ('finding' in command) {
    return acceptFinding(state.findings, command, (actor) => mayApprove(state, actor));
  }
  if (!WALLET_PATTERN.test(command.operator)) return reject('operator-wallet-invalid');
  switch (command.type) {
    case 'AddOperator':
    case 'ChangeOperatorRole':
    case 'RevokeOperator':
      return changeRole(state, command);
    case 'SignInOperator':
      return signIn(state, command);
    case 'SignOutOperator': {
      const { operator, session } = command;
      return hasSession(state, command)
        ? [{ type: 'OperatorSignedOut', data: { operator, session } }]
        : [];
    }
    case 'RefuseOperator': {
      // Not counted with unknown wallets, or an operator could hide in a flood of their attempts. Its idempotency key limits it.
      const { operator, route, atMs } = command;
      const data = {
        operator,
        reason: 'role',
        role: roleOf(state, operator),
        route,
        atMs,
      } as const;
      return [{ type: 'OperatorAccessDenied', data }];
    }
    case 'NameOperator':
      return nameOperator(state, command);
    case 'ReserveActions': {
      const { operator } = command;
      if (roleOf(state, operator) === null) return reject('no-such-operator');
      const budgetMs = reserveActions(state, command, 1);
      return isRejection(budgetMs)
        ? budgetMs
        : [
            {
              type: 'OperatorActionsReserved',
              data: { operator, actions: ACTIONS_AT_ONCE, budgetMs },
            },
          ];
    }
    case 'UseAllowance':
      return useAllowance(state.allowances?.[command.operator], command);
    default:
      return unreachable(command);
  }
}

/** The effect and the end of its proposal, in one command. */
function executeHere(
  state: OperatorsState,
  { proposal: number }: ExecuteHere,
): readonly OperatorEvent[] | Rejection {
  const approved = approvedProposal(state, number);
  if (isRejection(approved)) return approved;
  const { proposal, agreed } = approved;
  assert(isHere(proposal), `proposal ${number} is of this stream`);
  const event = effectHere(state, proposal, agreed);
  if (isRejection(event)) return event;
  return isAsApproved(proposal, [event])
    ? [event, { type: 'Executed', data: { proposal: number } }]
    : reject('proposal-outdated');
}

export function isHere<Proposed extends ProposedCommand>(
  proposed: Proposed,
): proposed is Proposed & ProposedHere {
  return proposed.kind === 'role' || proposed.kind === 'restore';
}

export function effectHere(
  state: OperatorsState,
  { kind, command, reason }: ProposedHere & { readonly reason: string },
  agreed: Agreed,
): OperatorEvent | Rejection {
  return kind === 'role'
    ? raiseRole(state, command, reason, agreed)
    : restoredTo(state, command, reason, agreed);
}

function signIn(
  state: OperatorsState,
  { operator, session, method, atMs, budget }: SignInOperator,
): readonly OperatorEvent[] | Rejection {
  const role = roleOf(state, operator);
  if (role) {
    const budgetMs = budget && reserveActions(state, { operator, budget }, 2);
    if (isRejection(budgetMs)) return budgetMs;
    const reserved = budgetMs === undefined ? {} : { budgetMs };
    const data = { operator, role, session, method, atMs, ...reserved };
    return [{ type: 'OperatorSignedIn', data }];
  }
  const reason = Object.hasOwn(state.operators, operator) ? 'revoked' : 'unknown';
  const data = { operator, reason, role, route: null, atMs } as const;
  return refuseStranger(state, data);
}

/** The refusal as an event; none once the limit of the hour is reached. */
function refuseStranger(
  { refused: { hour, count } }: OperatorsState,
  data: OperatorAccessDenied['data'],
): readonly OperatorEvent[] | Rejection {
  const isFull = hourOf(data.atMs) <= hour && count >= REFUSALS_AN_HOUR_MAX;
  return isFull ? reject('operator-unknown') : [{ type: 'OperatorAccessDenied', data }];
}

function withBudget(
  state: OperatorsState,
  { operator, budgetMs }: { readonly operator: string; readonly budgetMs?: number },
): OperatorsState {
  if (budgetMs === undefined) return state;
  return { ...state, budgets: { ...state.budgets, [operator]: budgetMs } };
}

const hourOf = (atMs: number) => Math.floor(atMs / HOUR_MS);

function evolve(state: OperatorsState, event: OperatorEvent): OperatorsState {
  const { type, data } = event;
  switch (type) {
    case 'OperatorAdded':
    case 'OperatorRoleChanged':
    case 'OperatorRevoked': {
      const { operator, roleAfter } = data;
      return {
        ...state,
        operators: { ...state.operators, [operator]: roleAfter },
        adminsEver: state.adminsEver + (roleAfter === 'admin' ? 1 : 0),
        sessions: state.sessions.filter((one) => roleAfter !== null || one.operator !== operator),
      };
    }
    case 'Proposed':
    case 'Approved':
    case 'Withdrawn':
    case 'Executed':
    case 'Refused':
      return { ...state, proposals: evolveProposals(state, event) };
    case 'OperatorSignedIn':
      return { ...withBudget(state, data), sessions: withSession(state.sessions, data) };
    case 'OperatorActionsReserved':
      return withBudget(state, data);
    case 'OperatorSignedOut':
      return {
        ...state,
        sessions: state.sessions.filter(({ session }) => session !== data.session),
      };
    case 'ReadModelOperationStarted':
    case 'ReadModelOperationCancelled':
    case 'ReadModelOperationFinished':
      return state;
    case 'AllowanceUsed': {
      const { operator, day, usedAfter } = data;
      return { ...state, allowances: { ...state.allowances, [operator]: { day, ...usedAfter } } };
    }
    case 'FindingsRecorded':
    case 'FindingAcceptanceProposed':
    case 'FindingAccepted':
      return { ...state, findings: evolveFindings(state, event) };
    case 'LedgerRestored':
      return { ...state, restores: evolveRestores(state, event) };
    case 'OperatorNamed':
      return { ...state, names: { ...state.names, [data.operator]: data.nameAfter } };
    case 'OperatorAccessDenied': {
      const { hour, count } = state.refused;
      const now = hourOf(data.atMs);
      // A late clock does not reopen an earlier hour.
      const refused = now > hour ? { hour: now, count: 1 } : { hour, count: count + 1 };
      return { ...state, refused };
    }
    default:
      return unreachable(type);
  }
}
