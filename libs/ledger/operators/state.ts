import { type Proposal, walletOf } from '../proposals.ts';
import type { Allowance } from './allowance.ts';
import { mayAct, type Role } from './roles.ts';

export interface RoleProposal extends Proposal {
  readonly operator: string;
  readonly roleBefore: Role | null;
  readonly roleAfter: Role;
}

export interface OperatorsState {
  /** By wallet: the role, or null once revoked. */
  readonly operators: Readonly<Record<string, Role | null>>;
  /** How many refusals stand in the ledger of the latest hour that has any. */
  readonly refused: { readonly hour: number; readonly count: number };
  /** By wallet, of those who ever adjusted a balance alone. */
  readonly allowances?: Readonly<Record<string, Allowance>>;
  /** Of the stream: it counts events. */
  readonly version: number;
  /** How often a wallet became admin. */
  readonly adminsEver: number;
  readonly proposals: readonly RoleProposal[];
}

/** The role of a wallet as of now; null for who is no operator. */
export function roleOf(state: Pick<OperatorsState, 'operators'>, wallet: string): Role | null {
  return Object.hasOwn(state.operators, wallet) ? (state.operators[wallet] ?? null) : null;
}

/** Who is an operator at the moment of an approval. */
export type Approvers = Pick<OperatorsState, 'operators'>;

/** Whether what that actor proposed or approved before still counts. */
export function mayApprove(approvers: Approvers, actor: string): boolean {
  const role = roleOf(approvers, walletOf(actor));
  return role !== null && mayAct(role, 'operator');
}
