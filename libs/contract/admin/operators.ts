import { type Static, Type } from 'typebox';
import { closed, NumberText } from '../common.ts';
import { adminTopic } from '../route.ts';
import { actionWith, plainAction, RoleName, Wallet } from './common.ts';

const OperatorParams = Type.Object({ operator: Wallet });

const call = adminTopic('operators');

export const operatorsRoutes = {
  operators: call('GET', '/operators', 'admin', {
    summary: 'List current and former operators with their roles',
  }),
  operatorNames: call('GET', '/operators/names', 'viewer', {
    summary: 'List the names of operators',
  }),
  nameOperator: call('PUT', '/operators/:operator/name', 'viewer', {
    summary: 'Set your own name; an admin sets the name of any operator',
    params: OperatorParams,
    ...actionWith({
      name: Type.String({ minLength: 1, maxLength: 80, description: 'At most 20 characters' }),
    }),
  }),
  addOperator: call('POST', '/operators', 'admin', {
    summary: 'Propose a new operator; another admin approves it',
    ...actionWith({ operator: Wallet, role: RoleName }),
  }),
  changeRole: call('PUT', '/operators/:operator/role', 'admin', {
    summary: 'Lower the role of an operator immediately, or propose a higher one',
    params: OperatorParams,
    ...actionWith({ role: RoleName }),
  }),
  revokeOperator: call('POST', '/operators/:operator/revoke', 'admin', {
    summary: 'Revoke an operator; all their sessions end immediately',
    params: OperatorParams,
    ...plainAction,
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

const sessionCall = adminTopic('session');

export const sessionRoutes = {
  signInSentence: sessionCall('GET', '/auth/sentence', 'public', {
    summary: 'Get the text to sign for a sign-in',
  }),
  signIn: sessionCall('POST', '/auth/sign-in', 'public', {
    summary: 'Sign in with a signed message; each message works once',
    body: SignInBody,
  }),
  signInByLink: sessionCall('POST', '/auth/link', 'public', {
    summary: 'Sign in with a one-time link; only a standalone server prints such links',
    body: closed({
      link: Type.String({ maxLength: 100, description: 'Code of the printed link' }),
    }),
  }),
  signOut: sessionCall('POST', '/auth/sign-out', 'viewer', {
    summary: 'End this session',
  }),
  signOutAll: sessionCall('POST', '/auth/sign-out-all', 'viewer', {
    summary: 'End all sessions of the operator, this one too',
  }),
  me: sessionCall('GET', '/me', 'viewer', {
    summary: 'Get the signed-in operator and role',
  }),
};

const ProposalParams = Type.Object({ number: NumberText });

const proposalCall = adminTopic('proposals');

/** What needs two people. */
export const proposalsRoutes = {
  proposals: proposalCall('GET', '/proposals', 'viewer', {
    summary: 'List open proposals of all kinds, oldest first',
  }),
  approveProposal: proposalCall('POST', '/proposals/:number/approve', 'operator', {
    summary:
      'Approve a proposal of another person; with the last approval, after its waiting period, it is executed',
    params: ProposalParams,
    ...plainAction,
  }),
  withdrawProposal: proposalCall('POST', '/proposals/:number/withdraw', 'operator', {
    summary:
      'Withdraw a proposal of any person; only an admin withdraws one that restores earlier values or records a restored ledger',
    params: ProposalParams,
    ...plainAction,
  }),
};
