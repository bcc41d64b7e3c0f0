import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { PROPOSAL_RULES, type ProposalKind } from '@reelbook/ledger/proposals';
import { type Static, Type } from 'typebox';
import {
  closed,
  Empty,
  KeyHeaders,
  NumberText,
  nullable,
  nullableText,
  oneOf,
  Position,
  Time,
} from '../common.ts';
import { adminTopic } from '../route.ts';
import {
  Acted,
  Amount,
  Done,
  Reason,
  ReasonBody,
  RoleName,
  sentenceFields,
  Wallet,
} from './common.ts';
import { Changed } from './configuration.ts';

const Operator = Type.Object({
  operator: Wallet,
  role: Type.Unsafe<Role | null>({
    type: ['string', 'null'],
    enum: [...ROLES, null],
    description: 'null if revoked',
  }),
  name: nullableText(),
});

/** Of current and former operators. */
const OperatorNames = Type.Array(Type.Object({ operator: Wallet, name: Type.String() }));

const OperatorParams = Type.Object({ operator: Wallet });

const call = adminTopic('operators');

export const operatorsRoutes = {
  operators: call('GET', '/operators', 'admin', {
    summary: 'List current and former operators with their roles',
    data: Type.Array(Operator),
  }),
  operatorNames: call('GET', '/operators/names', 'viewer', {
    summary: 'List the names of operators',
    data: OperatorNames,
  }),
  nameOperator: call('PUT', '/operators/:operator/name', 'viewer', {
    summary: 'Set your own name; an admin sets the name of any operator',
    params: OperatorParams,
    headers: KeyHeaders,
    body: closed({
      name: Type.String({ minLength: 1, maxLength: 80, description: 'At most 20 characters' }),
      reason: Reason,
    }),
    data: Done,
  }),
  addOperator: call('POST', '/operators', 'admin', {
    summary: 'Propose a new operator; another admin approves it',
    headers: KeyHeaders,
    body: closed({ operator: Wallet, role: RoleName, reason: Reason }),
    data: Acted,
  }),
  changeRole: call('PUT', '/operators/:operator/role', 'admin', {
    summary: 'Lower the role of an operator immediately, or propose a higher one',
    params: OperatorParams,
    headers: KeyHeaders,
    body: closed({ role: RoleName, reason: Reason }),
    data: Acted,
  }),
  revokeOperator: call('POST', '/operators/:operator/revoke', 'admin', {
    summary: 'Revoke an operator; all their sessions end immediately',
    params: OperatorParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Acted,
  }),
};

export const SignInBody = closed({
  wallet_address: Type.String({ maxLength: 64 }),
  signature: Type.String({
    maxLength: 300,
    description: '64 bytes as decimal numbers, separated by commas',
  }),
  message: Type.String({
    maxLength: 512,
    description: 'Sentence of GET /auth/sentence, followed by the time in milliseconds since 1970',
  }),
});
export type SignInBody = Static<typeof SignInBody>;

export const OperatorSession = Type.Object({
  token: Type.String(),
  expires_at: Time,
  operator: Wallet,
  role: RoleName,
});
export type OperatorSession = Static<typeof OperatorSession>;

export const Me = Type.Object({
  operator: Wallet,
  role: RoleName,
  expires_at: Time,
  local_chain: Type.Boolean({ description: 'true on the local chain, which has play money only' }),
});
export type Me = Static<typeof Me>;

const sessionCall = adminTopic('session');

export const sessionRoutes = {
  signInSentence: sessionCall('GET', '/auth/sentence', 'public', {
    summary: 'Get the text to sign for a sign-in',
    data: Type.Object({
      sentence: Type.String({ description: 'The time in milliseconds since 1970 follows it' }),
      origin: Type.String({ description: 'Origin of this console, which the text names' }),
    }),
  }),
  signIn: sessionCall('POST', '/auth/sign-in', 'public', {
    summary: 'Sign in with a signed message; each message works once',
    body: SignInBody,
    data: OperatorSession,
  }),
  signInByLink: sessionCall('POST', '/auth/link', 'public', {
    summary: 'Sign in with a one-time link; only a standalone server prints such links',
    body: closed({
      link: Type.String({ maxLength: 100, description: 'Code of the printed link' }),
    }),
    data: OperatorSession,
  }),
  signOut: sessionCall('POST', '/auth/sign-out', 'viewer', {
    summary: 'End this session',
    data: Empty,
  }),
  signOutAll: sessionCall('POST', '/auth/sign-out-all', 'viewer', {
    summary: 'End all sessions of the operator, this one too',
    data: Empty,
  }),
  me: sessionCall('GET', '/me', 'viewer', {
    summary: 'Get the signed-in operator and role',
    data: Me,
  }),
};

const ProposalParams = Type.Object({ number: NumberText });

const Proposal = Type.Object({
  number: Type.Integer(),
  kind: oneOf(Object.keys(PROPOSAL_RULES) as ProposalKind[]),
  position: Position,
  proposed_at: Time,
  by: Type.String({
    description: 'Actor who proposed it; a system actor is a shell command, not a person',
  }),
  reason: Type.String(),
  approvals: Type.Array(Type.Object({ by: Type.String(), reason: Type.String() }), {
    description: 'Operators who approved it so far',
  }),
  needs: Type.Object({
    role: RoleName,
    people: Type.Integer({ description: 'Number of different people, including the proposer' }),
  }),
  withdrawal_role: RoleName,
  approve_from: Type.String({ description: 'Earliest time of the last approval, ISO 8601, UTC' }),
  expires_at: Time,
  /** Whose account it concerns. */
  player: nullable(Wallet),
  /** Whose role it changes. */
  operator: nullable(Wallet),
  changes: Type.Array(Changed, { description: 'Changes of the configuration' }),
  restore: Type.Union(
    [
      Type.Object({
        position: Type.Integer({ description: 'The head that the ledger went back to' }),
        lost_to: Type.Integer({ description: 'The last lost event that is known' }),
        payments: Type.Array(
          Type.Object({ withdrawal: Type.String(), signature: Type.String(), amount: Amount }),
          { description: 'On the chain and not in the ledger; they are not made again' },
        ),
        anchors: Type.Array(Type.String({ description: 'Signature' })),
      }),
      Type.Null(),
    ],
    { description: 'What the ledger lost, as the command `restored` found it' },
  ),
  /** What it would cause now; null: another event than was proposed, or none. */
  effect: nullable(Type.Object({ type: Type.String(), ...sentenceFields })),
});

/** Oldest first. */
export const Proposals = Type.Array(Proposal);
export type Proposals = Static<typeof Proposals>;

const proposalCall = adminTopic('proposals');

/** What needs two people. */
export const proposalsRoutes = {
  proposals: proposalCall('GET', '/proposals', 'viewer', {
    summary: 'List open proposals of all kinds, oldest first',
    data: Proposals,
  }),
  approveProposal: proposalCall('POST', '/proposals/:number/approve', 'operator', {
    summary:
      'Approve a proposal of another person; with the last approval, after its waiting period, it is executed',
    params: ProposalParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Type.Object({
      position: Position,
      status: oneOf(
        ['waiting', 'approved', 'executed', 'refused'],
        'waiting: another approval is needed; approved: execution follows; refused: nothing happened',
      ),
      refusal: nullableText('Why it is refused'),
    }),
  }),
  withdrawProposal: proposalCall('POST', '/proposals/:number/withdraw', 'operator', {
    summary:
      'Withdraw a proposal of any person; only an admin withdraws one that restores earlier values',
    params: ProposalParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Done,
  }),
};
