import { type Static, Type } from 'typebox';
import { closed, Empty, Time } from '../common.ts';
import { adminTopic } from '../route.ts';
import { RoleName, Wallet } from './common.ts';

export const SignInBody = closed({
  wallet_address: Type.String({ maxLength: 64 }),
  signature: Type.String({ maxLength: 300, description: '64 bytes as numbers, by comma' }),
  message: Type.String({ maxLength: 200, description: 'The sentence, then the time in ms' }),
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
  local_chain: Type.Boolean({ description: 'Play money only' }),
});
export type Me = Static<typeof Me>;

const call = adminTopic('session');

export const sessionRoutes = {
  signIn: call('POST', '/auth/sign-in', 'public', {
    summary: 'Sign in with a signed message; each message works once',
    body: SignInBody,
    data: OperatorSession,
  }),
  signInByLink: call('POST', '/auth/link', 'public', {
    summary: 'Sign in by a one-time link of a standalone; there are none elsewhere',
    body: closed({
      link: Type.String({ maxLength: 100, description: 'What the printed link carries' }),
    }),
    data: OperatorSession,
  }),
  signOut: call('POST', '/auth/sign-out', 'viewer', { summary: 'End this session', data: Empty }),
  me: call('GET', '/me', 'viewer', { summary: 'Who is signed in, and as what', data: Me }),
};
