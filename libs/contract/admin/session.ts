import { type Static, Type } from 'typebox';
import { closed, Empty, Time } from '../common.ts';
import { adminTopic } from '../route.ts';
import { RoleName, Wallet } from './common.ts';

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

const call = adminTopic('session');

export const sessionRoutes = {
  signInSentence: call('GET', '/auth/sentence', 'public', {
    summary: 'Get the text to sign for a sign-in',
    data: Type.Object({
      sentence: Type.String({ description: 'The time in milliseconds since 1970 follows it' }),
      origin: Type.String({ description: 'Origin of this console, which the text names' }),
    }),
  }),
  signIn: call('POST', '/auth/sign-in', 'public', {
    summary: 'Sign in with a signed message; each message works once',
    body: SignInBody,
    data: OperatorSession,
  }),
  signInByLink: call('POST', '/auth/link', 'public', {
    summary: 'Sign in with a one-time link; only a standalone server prints such links',
    body: closed({
      link: Type.String({ maxLength: 100, description: 'Code of the printed link' }),
    }),
    data: OperatorSession,
  }),
  signOut: call('POST', '/auth/sign-out', 'viewer', { summary: 'End this session', data: Empty }),
  signOutAll: call('POST', '/auth/sign-out-all', 'viewer', {
    summary: 'End all sessions of the operator, this one too',
    data: Empty,
  }),
  me: call('GET', '/me', 'viewer', { summary: 'Get the signed-in operator and role', data: Me }),
};
