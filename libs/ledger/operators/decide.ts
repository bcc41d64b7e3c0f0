import { assert, unreachable } from '../assert.ts';
import { HOUR_MS } from '../calendar.ts';
import type { Decider } from '../decider.ts';
import { type Rejection, reject } from '../rejections.ts';
import { WALLET_PATTERN } from '../streams.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import { type Allowance, type UseAllowance, useAllowance } from './allowance.ts';
import type { OperatorEvent, OperatorRefused, SignInWay } from './events.ts';
import { actOnReadModel, type ReadModelCommand } from './read-model-acts.ts';
import { isRole, type Role } from './roles.ts';

/** Operators ever added: they stand in one state. */
export const OPERATORS_MAX = 500;
/** Refusals in an hour after which those of strangers are only logged. */
export const REFUSALS_AN_HOUR_MAX = 30;

export type OperatorCommand =
  | AddOperator
  | ChangeOperatorRole
  | RevokeOperator
  | SignInOperator
  | RefuseOperator
  | UseAllowance
  | ReadModelCommand;

export interface AddOperator {
  readonly type: 'AddOperator';
  readonly operator: string;
  readonly role: Role;
  readonly reason: string;
}

export interface ChangeOperatorRole {
  readonly type: 'ChangeOperatorRole';
  readonly operator: string;
  readonly role: Role;
  readonly reason: string;
}

export interface RevokeOperator {
  readonly type: 'RevokeOperator';
  readonly operator: string;
  readonly reason: string;
}

/** A wallet that proved itself. Whoever is no operator is refused, which is an event as well. */
export interface SignInOperator {
  readonly type: 'SignInOperator';
  readonly operator: string;
  readonly session: string;
  readonly way: SignInWay;
  readonly atMs: number;
}

/** An operator asked for what their role may not. */
export interface RefuseOperator {
  readonly type: 'RefuseOperator';
  readonly operator: string;
  readonly route: string;
  readonly atMs: number;
}

export interface OperatorsState {
  /** By wallet: the role, or null once revoked. */
  readonly operators: Readonly<Record<string, Role | null>>;
  /** How many refusals stand in the book of the latest hour that has any. */
  readonly refused: { readonly hour: number; readonly count: number };
  /** By wallet, of those who ever adjusted a balance alone. */
  readonly allowances?: Readonly<Record<string, Allowance>>;
}

/** The role of a wallet as of now; null for who is no operator. */
export function roleOf(state: OperatorsState, wallet: string): Role | null {
  return Object.hasOwn(state.operators, wallet) ? (state.operators[wallet] ?? null) : null;
}

export const operatorsDecider: Decider<OperatorsState, OperatorCommand, OperatorEvent> = {
  kind: 'operators',
  stateSchema: 2,
  initial: { operators: {}, refused: { hour: 0, count: 0 } },
  decide,
  evolve,
};

function decide(
  state: OperatorsState,
  command: OperatorCommand,
): readonly OperatorEvent[] | Rejection {
  if ('readModel' in command) return actOnReadModel(command);
  if (!WALLET_PATTERN.test(command.operator)) return reject('operator-wallet-invalid');
  switch (command.type) {
    case 'AddOperator':
    case 'ChangeOperatorRole':
    case 'RevokeOperator':
      return isReason(command.reason)
        ? changeRole(state, command)
        : reject('reason-invalid', { max: REASON_MAX_LENGTH });
    case 'SignInOperator':
      return signIn(state, command);
    case 'RefuseOperator': {
      // Its claim bounds it. Were it counted with strangers, an operator could hide behind a flood of them.
      const { operator, route, atMs } = command;
      const data = { operator, why: 'role', role: roleOf(state, operator), route, atMs } as const;
      return [{ type: 'OperatorRefused', data }];
    }
    case 'UseAllowance':
      return useAllowance(state.allowances?.[command.operator], command);
    default:
      return unreachable(command);
  }
}

function changeRole(
  state: OperatorsState,
  command: AddOperator | ChangeOperatorRole | RevokeOperator,
): readonly OperatorEvent[] | Rejection {
  const { operator, reason } = command;
  const before = roleOf(state, operator);
  if (command.type === 'AddOperator') {
    if (before !== null) return reject('operator-known', { role: before });
    const isNew = !Object.hasOwn(state.operators, operator);
    if (isNew && Object.keys(state.operators).length >= OPERATORS_MAX) {
      return reject('operators-too-many', { max: OPERATORS_MAX });
    }
    assert(isRole(command.role), 'a role to give');
    return [
      {
        type: 'OperatorAdded',
        data: { operator, roleBefore: null, roleAfter: command.role, reason },
      },
    ];
  }
  if (before === null) return reject('no-such-operator');
  const after = command.type === 'RevokeOperator' ? null : command.role;
  if (after === before) return reject('operator-known', { role: before });
  // Without an admin nobody could ever make one again from the console.
  if (before === 'admin' && adminsOf(state) === 1) return reject('operator-last-admin');
  const data = { operator, roleBefore: before, reason };
  if (after === null) {
    return [{ type: 'OperatorRevoked', data: { ...data, roleAfter: null } }];
  }
  assert(isRole(after), 'a role to give');
  return [{ type: 'OperatorRoleChanged', data: { ...data, roleAfter: after } }];
}

const adminsOf = (state: OperatorsState) =>
  Object.values(state.operators).filter((role) => role === 'admin').length;

function signIn(
  state: OperatorsState,
  { operator, session, way, atMs }: SignInOperator,
): readonly OperatorEvent[] | Rejection {
  const role = roleOf(state, operator);
  if (role) return [{ type: 'OperatorSignedIn', data: { operator, role, session, way, atMs } }];
  const why = Object.hasOwn(state.operators, operator) ? 'revoked' : 'unknown';
  const data = { operator, why, role, route: null, atMs } as const;
  return refuseStranger(state, data);
}

/** The refusal as an event; none once the hour has enough of them. */
function refuseStranger(
  { refused: { hour, count } }: OperatorsState,
  data: OperatorRefused['data'],
): readonly OperatorEvent[] | Rejection {
  const isFull = hourOf(data.atMs) <= hour && count >= REFUSALS_AN_HOUR_MAX;
  return isFull ? reject('operator-unknown') : [{ type: 'OperatorRefused', data }];
}

const hourOf = (atMs: number) => Math.floor(atMs / HOUR_MS);

function evolve(state: OperatorsState, { type, data }: OperatorEvent): OperatorsState {
  switch (type) {
    case 'OperatorAdded':
    case 'OperatorRoleChanged':
    case 'OperatorRevoked':
      return { ...state, operators: { ...state.operators, [data.operator]: data.roleAfter } };
    case 'OperatorSignedIn':
    case 'ReadModelActBegun':
    case 'ReadModelActCancelled':
    case 'ReadModelActEnded':
      return state;
    case 'AllowanceUsed': {
      const { operator, day, usedAfter } = data;
      return { ...state, allowances: { ...state.allowances, [operator]: { day, ...usedAfter } } };
    }
    case 'OperatorRefused': {
      const { hour, count } = state.refused;
      const now = hourOf(data.atMs);
      // A clock that runs behind does not open an hour anew.
      const refused = now > hour ? { hour: now, count: 1 } : { hour, count: count + 1 };
      return { ...state, refused };
    }
    default:
      return unreachable(type);
  }
}
