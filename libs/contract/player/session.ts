import { type Static, Type } from 'typebox';
import { closed, Empty, Time } from '../common.ts';
import { playerTopic } from '../route.ts';
import { User } from './profile.ts';

export const LoginBody = closed({
  wallet_address: Type.String({ maxLength: 64, description: 'Public key in base58' }),
  signature: Type.String({ maxLength: 512, description: '64 bytes as "12,34,..."' }),
  message: Type.String({ maxLength: 256, description: 'The login sentence and milliseconds' }),
});
export type LoginBody = Static<typeof LoginBody>;

export const Session = Type.Object({
  token: Type.String(),
  expires_at: Time,
  user: User,
});
export type Session = Static<typeof Session>;

const call = playerTopic('session');

export const sessionRoutes = {
  login: call('POST', '/auth/login', 'public', {
    summary: 'Log in with a signed message; each message works once',
    body: LoginBody,
    data: Session,
  }),
  logout: call('POST', '/auth/logout', 'player', {
    summary: 'End this session; its sockets close',
    data: Empty,
  }),
  refresh: call('GET', '/user/refresh', 'player', {
    summary: 'A new token for another 24 hours; the old one ends shortly after',
    data: Session,
  }),
};
