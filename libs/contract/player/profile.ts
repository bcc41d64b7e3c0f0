import { type Static, Type } from 'typebox';
import {
  Balances,
  closed,
  Empty,
  EXAMPLE,
  FILTERED_MAX,
  GameId,
  IDEMPOTENCY_KEY_PATTERN,
  NumberText,
  named,
  nullableInteger,
  nullableNumber,
  nullableText,
  oneOf,
  Position,
  pageOf,
  pageQuery,
  periodQuery,
  Time,
  text,
} from '../common.ts';
import { playerTopic } from '../route.ts';
import type { BetResult, GameResult, StartResult } from './games.ts';
import type { ExchangeResult, WithdrawResult } from './wallet.ts';

export const User = named('User', {
  wallet_address: text(EXAMPLE.address),
  public_id: text(EXAMPLE.player, 'Opaque id that other players see, in place of the wallet'),
  nickname: nullableText(),
  display_name: text('Ann', 'The nickname, or "User" and the end of the public id'),
  level: Type.Integer(),
  experience: Type.Integer({ description: '10 for each settled round of any game' }),
  next_level_experience: Type.Integer(),
});
export type User = Static<typeof User>;

export const ACHIEVEMENT_NAMES = [
  'first-win',
  'lucky-seven',
  'high-roller',
  'slot-master',
  'millionaire',
  'veteran',
] as const;

export const Achievement = named('Achievement', {
  name: oneOf(ACHIEVEMENT_NAMES),
  reached: Type.Number({ description: 'Progress in wins, rounds or points' }),
  target: Type.Number({ description: 'Value of `reached` that earns it' }),
  earned_at: nullableText('ISO 8601, UTC; null until it is earned'),
  position: nullableInteger('Position of the round that earned it'),
});
export type Achievement = Static<typeof Achievement>;

export const TRANSACTION_TYPES = [
  'bet',
  'win',
  'void',
  'welcome',
  'adjustment',
  'exchange',
  'deposit',
  'withdraw',
] as const;

/** Of a list: types that belong together. */
const TRANSACTION_GROUPS = ['money', 'games'] as const;

/** Of a list: `open` is a payment that is pending, approved, processing or in review. */
const TRANSACTION_STATES = ['completed', 'open', 'returned', 'failed'] as const;

export const Transaction = named('Transaction', {
  id: text('34'),
  type: oneOf(TRANSACTION_TYPES),
  amount: Type.Number({ description: 'Signed change of the balance, in `asset`' }),
  asset: oneOf(['points', 'token']),
  status: text(
    'completed',
    'completed; for deposits and withdrawals also pending, approved, processing, ' +
      'returned, failed, review',
  ),
  description: text('Slot machine: no-win'),
  created_at: Time,
  extra_data: text('{}', 'JSON text'),
  position: Type.Integer({ description: 'Position in the ledger; 0 if not recorded yet' }),
  balance_after: nullableNumber('Balance of `asset` after it; null if not recorded yet'),
});
export type Transaction = Static<typeof Transaction>;

const StreamVersion = Type.Integer({
  description: 'Version of the player stream; ignore counts with a lower version than shown',
});

export const unreadFields = { unread_count: Type.Integer(), stream_version: StreamVersion };

/** A value of a notification: a string or count, an amount in points or BSM, or a time. */
export type NoticeFact =
  | string
  | number
  | { readonly asset: 'points' | 'token'; readonly amount: number }
  | { readonly time: string };

/** Kind and facts, so that clients can localise `title` and `content`. */
export const noticeFields = {
  kind: text('seeds-rotated', 'Kind of notification, such as seeds-rotated'),
  facts: Type.Unsafe<Readonly<Record<string, NoticeFact>>>({
    type: 'object',
    additionalProperties: true,
    description: 'Values of the text by name: strings, counts, {asset, amount} or {time}',
    examples: [{ pair: 1, nonces: 23 }],
  }),
  title: text('Seeds rotated', 'English title'),
  content: text('Server seed 1 is public.', 'English text'),
};

export const Notification = named('Notification', {
  id: Type.Integer({ description: 'Position of its event' }),
  type: oneOf(['system', 'transaction']),
  ...noticeFields,
  created_at: Time,
  read: Type.Boolean(),
});
export type Notification = Static<typeof Notification>;

export const NotificationPage = named('NotificationPage', {
  ...pageOf(Notification).properties,
  ...unreadFields,
});
export type NotificationPage = Static<typeof NotificationPage>;

/** Response of a command that marks notifications as read. */
export const Unread = named('Unread', { ...unreadFields, position: Position });
export type Unread = Static<typeof Unread>;

const KeyParams = Type.Object({
  key: text('my-first-bet', {
    pattern: IDEMPOTENCY_KEY_PATTERN,
    description: 'Idempotency-Key of the command, URL-encoded',
  }),
});

export type CommandResult = BetResult | GameResult | StartResult | ExchangeResult | WithdrawResult;

/** Outcome of a command that was sent with an Idempotency-Key. */
export const CommandOutcome = named('CommandOutcome', {
  status: oneOf(
    ['none', 'done', 'discarded'],
    'none: not executed yet, a request in transit may still be; done: executed; discarded: never executed',
  ),
  position: nullableInteger('Position of its last event'),
  result: Type.Unsafe<CommandResult | null>({
    description: 'Data of the original response; null unless done',
  }),
});
export type CommandOutcome = Static<typeof CommandOutcome>;

const call = playerTopic('player');

export const profileRoutes = {
  profile: call('GET', '/user/profile', 'player', {
    summary: 'Get the profile of the player',
    data: User,
  }),
  changeProfile: call('PUT', '/user/profile', 'player', {
    summary: 'Change the nickname',
    body: closed({
      nickname: text('Ann', { maxLength: 400, description: 'At most 20 characters' }),
    }),
    data: User,
  }),
  balance: call('GET', '/user/balance', 'player', {
    summary: 'Get the current balances',
    data: Balances,
  }),
  achievements: call('GET', '/user/achievements', 'player', {
    summary: 'List the achievements with their progress',
    data: Type.Array(Achievement),
  }),
  transactions: call('GET', '/user/transactions', 'player', {
    summary: `List the changes of the balances, newest first; a filtered list ends after ${FILTERED_MAX}`,
    query: closed({
      ...pageQuery(20).properties,
      ...periodQuery,
      type: Type.Optional(
        oneOf(
          [...TRANSACTION_TYPES, ...TRANSACTION_GROUPS],
          'games: bet, win and void; money: all others',
        ),
      ),
      status: Type.Optional(
        oneOf(TRANSACTION_STATES, 'open: pending, approved, processing or review'),
      ),
      game: Type.Optional(GameId),
    }),
    data: pageOf(Transaction),
  }),
  notifications: call('GET', '/user/notifications', 'player', {
    summary: 'List the notifications, newest first',
    query: pageQuery(20),
    data: NotificationPage,
  }),
  readNotification: call('PUT', '/user/notifications/:id/read', 'player', {
    summary: 'Mark one notification as read',
    params: Type.Object({ id: NumberText }),
    data: Unread,
  }),
  readNotifications: call('PUT', '/user/notifications/read-all', 'player', {
    summary: 'Mark all notifications as read',
    data: Unread,
  }),
  command: call('GET', '/user/commands/:key', 'player', {
    summary: 'Get the outcome of the command with an Idempotency-Key; executes nothing',
    params: KeyParams,
    data: CommandOutcome,
  }),
  discardCommand: call('POST', '/user/commands/:key/discard', 'player', {
    summary:
      'Discard a command without a response: it is never executed, or its outcome is returned',
    params: KeyParams,
    data: CommandOutcome,
  }),
};

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

const sessionCall = playerTopic('session');

export const sessionRoutes = {
  login: sessionCall('POST', '/auth/login', 'public', {
    summary: 'Log in with a signed message; each message works once',
    body: LoginBody,
    data: Session,
  }),
  logout: sessionCall('POST', '/auth/logout', 'player', {
    summary: 'End this session, with all tokens of its refreshes and its sockets',
    data: Empty,
  }),
  logoutAll: sessionCall('POST', '/auth/logout-all', 'player', {
    summary: 'End all sessions of the player, including this one',
    data: Empty,
  }),
  sessions: sessionCall('GET', '/user/sessions', 'player', {
    summary: 'List the sessions of the player, the last refreshed first',
    data: Type.Array(OpenSession),
  }),
  endSession: sessionCall('POST', '/user/sessions/:id/end', 'player', {
    summary: 'End one session of the player; returns the others',
    params: Type.Object({ id: text(EXAMPLE.hash, { pattern: '^[0-9a-f]{64}$' }) }),
    data: Type.Array(OpenSession),
  }),
  refresh: sessionCall('GET', '/user/refresh', 'player', {
    summary:
      'Get the next token, valid for 24 hours, at most until 30 days after the login. The old one expires 30 seconds ' +
      'later; its use after that ends the session',
    data: Session,
  }),
};
