import { type Static, Type } from 'typebox';
import { closed, Empty, EXAMPLE, named, oneOf, Time, text } from '../common.ts';
import { playerTopic } from '../route.ts';
import { User } from './profile.ts';

export const LoginBody = closed({
  wallet_address: text(EXAMPLE.address, {
    maxLength: 64,
    description: 'Solana wallet address, base58',
  }),
  signature: text('64,7,66,60', {
    maxLength: 512,
    description: '64 bytes as decimal numbers, separated by commas',
  }),
  message: text(
    'Sign this message to log in to Reelbook at https://reelbook.example: 1795456199669',
    {
      maxLength: 1_024,
      description:
        'login_sentence of /config/system, followed by the time in milliseconds since 1970; or a Sign-In With Solana message',
    },
  ),
});
export type LoginBody = Static<typeof LoginBody>;

/** The signed sentence, or Sign-In-With-Solana, which the wallet checks against the page. */
export const signIns = ['sentence', 'siws'] as const;
export type SignIn = (typeof signIns)[number];

export const Session = named('Session', {
  token: text('EghVxEL6o-9q2frWd7nztIkxqoSNysxQzssEpuGzKT0', 'Bearer token of the session'),
  expires_at: Time,
  user: User,
});
export type Session = Static<typeof Session>;

export const OpenSession = named('OpenSession', {
  id: text(EXAMPLE.hash, 'Identifies the session; not a secret'),
  current: Type.Boolean({ description: 'The session of this call' }),
  sign_in: oneOf(
    signIns,
    'sentence: a signed sentence; siws: Sign-In-With-Solana, which the wallet checks against the page',
  ),
  started_at: Time,
  refreshed_at: Time,
  expires_at: Time,
});
export type OpenSession = Static<typeof OpenSession>;

const call = playerTopic('session');

export const sessionRoutes = {
  login: call('POST', '/auth/login', 'public', {
    summary: 'Log in with a signed message; each message works once',
    body: LoginBody,
    data: Session,
  }),
  logout: call('POST', '/auth/logout', 'player', {
    summary: 'End this session, with all tokens of its refreshes and its sockets',
    data: Empty,
  }),
  logoutAll: call('POST', '/auth/logout-all', 'player', {
    summary: 'End all sessions of the player, including this one',
    data: Empty,
  }),
  sessions: call('GET', '/user/sessions', 'player', {
    summary: 'List the sessions of the player, the last refreshed first',
    data: Type.Array(OpenSession),
  }),
  endSession: call('POST', '/user/sessions/:id/end', 'player', {
    summary: 'End one session of the player; returns the others',
    params: Type.Object({ id: text(EXAMPLE.hash, { pattern: '^[0-9a-f]{64}$' }) }),
    data: Type.Array(OpenSession),
  }),
  refresh: call('GET', '/user/refresh', 'player', {
    summary:
      'Get the next token, valid for 24 hours, at most until 30 days after the login. The old one expires 30 seconds ' +
      'later; its use after that ends the session',
    data: Session,
  }),
};
