import { assert } from '../assert.ts';
import type { Agreed, ProposedCommands } from '../proposals.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type { OperatorAdded, OperatorEvent, OperatorRoleChanged } from './events.ts';
import { isRole, mayAct, mayActAlone, type Role } from './roles.ts';
import { type OperatorsState, roleOf } from './state.ts';

/** Limit of operators ever added: they are part of one state. */
export const OPERATORS_MAX = 500;

interface RoleAct {
  readonly operator: string;
  readonly reason: string;
  /** The actor. */
  readonly by: string;
}

/** Adds an operator; `needs-two-people` where two admins are needed. */
export interface AddOperator extends RoleAct {
  readonly type: 'AddOperator';
  readonly role: Role;
}

export interface ChangeOperatorRole extends RoleAct {
  readonly type: 'ChangeOperatorRole';
  readonly role: Role;
}

export interface RevokeOperator extends RoleAct {
  readonly type: 'RevokeOperator';
}

export type RoleCommand = AddOperator | ChangeOperatorRole | RevokeOperator;

export function changeRole(
  state: OperatorsState,
  command: RoleCommand,
): readonly OperatorEvent[] | Rejection {
  const { operator, reason, by } = command;
  if (!isReason(reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  const roleBefore = roleOf(state, operator);
  const roleAfter = command.type === 'RevokeOperator' ? null : command.role;
  assert(roleAfter === null || isRole(roleAfter), 'a known role');
  const refused = refuse(state, command, roleBefore);
  if (refused) return refused;
  if (roleAfter === null || !isRaise(roleBefore, roleAfter)) {
    assert(roleBefore, 'an operator loses a role');
    const lost = { operator, roleBefore, reason };
    return roleAfter === null
      ? [{ type: 'OperatorRevoked', data: { ...lost, roleAfter } }]
      : [{ type: 'OperatorRoleChanged', data: { ...lost, roleAfter } }];
  }
  return mayActAlone(by, state.adminsEver)
    ? [raised({ operator, roleBefore, roleAfter }, reason)]
    : reject('needs-two-people');
}

function refuse(
  state: OperatorsState,
  command: Pick<RoleCommand, 'type' | 'operator'> & { readonly role?: Role },
  before: Role | null,
): Rejection | null {
  const { type, operator, role } = command;
  if (type === 'AddOperator') {
    if (before !== null) return reject('operator-known', { role: before });
    const isNew = !Object.hasOwn(state.operators, operator);
    const isFull = isNew && Object.keys(state.operators).length >= OPERATORS_MAX;
    return isFull ? reject('operators-too-many', { max: OPERATORS_MAX }) : null;
  }
  if (before === null) return reject('no-such-operator');
  if (role === before) return reject('operator-known', { role: before });
  // Without an admin no one could confirm a new one.
  const isLast = before === 'admin' && adminsOf(state).length === 1;
  return isLast ? reject('operator-last-admin') : null;
}

const isRaise = (before: Role | null, after: Role) => before === null || !mayAct(before, after);

export function raiseRole(
  state: OperatorsState,
  change: ProposedCommands['role'],
  reason: string,
  agreed: Agreed,
): OperatorAdded | OperatorRoleChanged | Rejection {
  const { operator, roleBefore, roleAfter } = change;
  if (roleOf(state, operator) !== roleBefore) return reject('proposal-outdated');
  const full = roleBefore === null && refuse(state, { type: 'AddOperator', operator }, null);
  if (full) return full;
  if (!isRole(roleAfter) || !isRaise(roleBefore, roleAfter)) return reject('proposal-outdated');
  return raised(change, reason, agreed);
}

function raised(
  change: ProposedCommands['role'],
  reason: string,
  agreed?: Agreed,
): OperatorAdded | OperatorRoleChanged {
  const { operator, roleBefore, roleAfter } = change;
  const given = { operator, roleAfter, reason, ...(agreed && { proposal: agreed }) };
  return roleBefore === null
    ? { type: 'OperatorAdded', data: { ...given, roleBefore } }
    : { type: 'OperatorRoleChanged', data: { ...given, roleBefore } };
}

export const adminsOf = ({ operators }: Pick<OperatorsState, 'operators'>) =>
  Object.values(operators).filter((role) => role === 'admin');
