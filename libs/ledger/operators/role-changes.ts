import { assert } from '../assert.ts';
import {
  ADMINS_BY_SHELL,
  type Confirmation,
  isShell,
  type LedgerKind,
  PEOPLE,
  PROPOSALS_MAX,
  type ProposalAct,
  WAIT_MS,
  walletOf,
  weigh,
} from '../proposals.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type { OperatorEvent } from './events.ts';
import { isRole, mayAct, type Role } from './roles.ts';
import { type OperatorsState, type RoleProposal, roleOf } from './state.ts';

/** Limit of operators ever added: they are part of one state. */
export const OPERATORS_MAX = 500;

interface RoleAct {
  readonly operator: string;
  readonly reason: string;
  /** The actor. */
  readonly by: string;
}

/** Adds an operator, or proposes it where two admins are needed. */
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

export interface ConfirmRole extends Confirmation {
  readonly type: 'ConfirmRole';
  /** Of the first configuration. */
  readonly kind: LedgerKind;
}

export interface WithdrawRole extends ProposalAct {
  readonly type: 'WithdrawRole';
}

export type RoleCommand = AddOperator | ChangeOperatorRole | RevokeOperator;
export type RoleProposalCommand = ConfirmRole | WithdrawRole;

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
  if (mayRaiseAlone(by, state.adminsEver)) {
    return [raised({ operator, roleBefore, roleAfter, reason })];
  }
  if (state.proposals.length >= PROPOSALS_MAX) {
    return reject('proposals-too-many', { max: PROPOSALS_MAX });
  }
  return [{ type: 'RoleProposed', data: { operator, roleBefore, roleAfter, reason, by } }];
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

/** The shell, until two admins have been added. */
export const mayRaiseAlone = (by: string, adminsEver: number) =>
  isShell(by) && adminsEver < ADMINS_BY_SHELL;

/** With a single admin left, the shell and this admin add another one: otherwise a lost key could not be replaced. */
export const neededFor = (by: string, admins: number) =>
  isShell(by) && admins < PEOPLE ? admins : PEOPLE;

export function actOnRoleProposal(
  state: OperatorsState,
  command: RoleProposalCommand,
): readonly OperatorEvent[] | Rejection {
  const { proposal: number, by, reason } = command;
  if (!isReason(reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  const proposal = state.proposals.find((one) => one.number === number);
  if (!proposal) return reject('no-such-proposal');
  const act = { proposal: number, by, reason };
  if (command.type === 'WithdrawRole') return [{ type: 'RoleWithdrawn', data: act }];
  const { operator, roleBefore, roleAfter } = proposal;
  if (roleOf(state, operator) !== roleBefore) return reject('proposal-outdated');
  const full = roleBefore === null && refuse(state, { type: 'AddOperator', operator }, null);
  if (full) return full;
  const weighed = weigh(proposal, {
    ...command,
    mayAct: (actor) => roleOf(state, walletOf(actor)) === 'admin',
    needed: neededFor(proposal.by, adminsOf(state).length),
    waitMs: WAIT_MS[command.kind],
  });
  if (weighed === 'approves') return [{ type: 'RoleApproved', data: act }];
  if (weighed !== 'applies') return weighed;
  const confirmed = { number, by: proposal.by, reason };
  return [raised({ operator, roleBefore, roleAfter, reason: proposal.reason }, confirmed)];
}

function raised(
  change: Pick<RoleProposal, 'operator' | 'roleBefore' | 'roleAfter' | 'reason'>,
  confirmed?: { readonly number: number; readonly by: string; readonly reason: string },
): OperatorEvent {
  const { roleBefore } = change;
  const proposal = confirmed && { proposal: confirmed };
  return roleBefore === null
    ? { type: 'OperatorAdded', data: { ...change, roleBefore, ...proposal } }
    : { type: 'OperatorRoleChanged', data: { ...change, roleBefore, ...proposal } };
}

export const adminsOf = ({ operators }: OperatorsState) =>
  Object.values(operators).filter((role) => role === 'admin');
