import { HOUR_MS } from '../calendar.ts';
import type { Allowance } from './allowance.ts';
import type { KnownFindings } from './findings.ts';
import type { OpenProposal } from './proposals.ts';
import type { Restores } from './restores.ts';
import { mayAct, type Role, walletOf } from './roles.ts';

export interface OperatorsState {
  /** By wallet: the role, or null once revoked. */
  readonly operators: Readonly<Record<string, Role | null>>;
  /** The recorded refusals of the latest hour with any. */
  readonly refused: { readonly hour: number; readonly count: number };
  /** By wallet, of operators who adjusted a balance alone. */
  readonly allowances?: Readonly<Record<string, Allowance>>;
  /** By wallet: when all actions of the operator are regained, in ms. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** By wallet, of operators with a name, including revoked ones. */
  readonly names?: Readonly<Record<string, string>>;
  /** Findings of audits. */
  readonly findings?: KnownFindings;
  /** Times that the ledger went back. */
  readonly restores?: Restores;
  /** The version of the stream. */
  readonly version: number;
  /** The number of times that a wallet became admin. */
  readonly adminsEver: number;
  readonly proposals: readonly OpenProposal[];
  /** Sessions that have not ended, oldest first. Those older than SESSION_MS stay until the next sign-in. */
  readonly sessions: readonly OperatorSession[];
}

export interface OperatorSession {
  readonly operator: string;
  /** As in `OperatorSignedIn`. */
  readonly session: string;
  readonly atMs: number;
}

/** A session of an operator ends after this time; it is not refreshed. */
export const SESSION_MS = 8 * HOUR_MS;
/** Of one operator; a sign-in beyond it ends the oldest. */
export const SESSIONS_PER_OPERATOR_MAX = 50;

/** Whether the operator has this session: it was not signed out, and the operator was not revoked since its sign-in. */
export function hasSession(
  { sessions }: Pick<OperatorsState, 'sessions'>,
  wanted: Pick<OperatorSession, 'operator' | 'session'>,
): boolean {
  const { operator, session } = wanted;
  return sessions.some((one) => one.session === session && one.operator === operator);
}

/** The sessions after a sign-in. */
export function withSession(
  sessions: readonly OperatorSession[],
  { operator, session, atMs }: OperatorSession,
): readonly OperatorSession[] {
  const live = sessions.filter((one) => atMs - one.atMs < SESSION_MS);
  const own = live.filter((one) => one.operator === operator);
  const ended = own.length < SESSIONS_PER_OPERATOR_MAX ? undefined : own[0];
  return [...live.filter((one) => one !== ended), { operator, session, atMs }];
}

/** The current role of a wallet; null for a wallet that is not an operator. */
export function roleOf(state: Pick<OperatorsState, 'operators'>, wallet: string): Role | null {
  return Object.hasOwn(state.operators, wallet) ? (state.operators[wallet] ?? null) : null;
}

/** The operators at the time of an approval. */
export type Approvers = Pick<OperatorsState, 'operators'>;

/** Whether earlier proposals and approvals of that actor still count. */
export function mayApprove(approvers: Approvers, actor: string): boolean {
  const role = roleOf(approvers, walletOf(actor));
  return role !== null && mayAct(role, 'operator');
}
