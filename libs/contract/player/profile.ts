import { type Static, Type } from 'typebox';
import {
  Balances,
  closed,
  IDEMPOTENCY_KEY_PATTERN,
  NumberText,
  nullableInteger,
  nullableNumber,
  nullableText,
  oneOf,
  Position,
  pageOf,
  pageQuery,
  Time,
} from '../common.ts';
import { playerTopic } from '../route.ts';
import type { GameResult, StartResult } from './games.ts';
import type { BetResult } from './slot.ts';
import type { ExchangeResult, WithdrawResult } from './wallet.ts';

export const User = Type.Object({
  wallet_address: Type.String(),
  public_id: Type.String({ description: 'What other players see: opaque, never the wallet' }),
  nickname: nullableText(),
  display_name: Type.String({
    description: 'The nickname, or "User" and the end of the public id',
  }),
  level: Type.Integer(),
  experience: Type.Integer(),
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

export const Achievement = Type.Object({
  name: Type.Unsafe<(typeof ACHIEVEMENT_NAMES)[number]>({ type: 'string' }),
  reached: Type.Number({ description: 'Wins, rounds or points, as the achievement counts' }),
  target: Type.Number(),
  earned_at: nullableText('ISO 8601, UTC; null until it is earned'),
  position: nullableInteger('In the ledger: the round that earned it'),
});
export type Achievement = Static<typeof Achievement>;

export const Transaction = Type.Object({
  id: Type.String(),
  type: Type.Unsafe<
    'bet' | 'win' | 'void' | 'welcome' | 'adjustment' | 'exchange' | 'deposit' | 'withdraw'
  >({
    type: 'string',
  }),
  amount: Type.Number({ description: 'Signed: what left or reached the player' }),
  asset: Type.Unsafe<'points' | 'token'>({ type: 'string' }),
  status: Type.String({
    description:
      'completed; of deposits and withdrawals also pending, approved, processing, ' +
      'returned, failed, review',
  }),
  description: Type.String(),
  created_at: Time,
  extra_data: Type.String({ description: 'JSON text' }),
  position: Type.Integer({ description: 'Position in the ledger; 0: not in the ledger yet' }),
  balance_after: nullableNumber('Null: not in the ledger yet'),
});
export type Transaction = Static<typeof Transaction>;

const StreamVersion = Type.Integer({
  description: "Version of the player's stream: never show a lower one's count over a higher one's",
});

export const unreadFields = { unread_count: Type.Integer(), stream_version: StreamVersion };

/** A figure of a notification: a word or a count, an amount in whole units, or a time. */
export type NoticeFact =
  | string
  | number
  | { readonly asset: 'points' | 'token'; readonly amount: number }
  | { readonly time: string };

/** What happened and its figures, from which it can be said in other words than `title` and `content`. */
export const noticeFields = {
  kind: Type.String({ description: 'What happened, such as deposit-credited' }),
  facts: Type.Unsafe<Readonly<Record<string, NoticeFact>>>({
    type: 'object',
    additionalProperties: true,
    description: 'Its figures by name: texts, counts, {asset, amount} or {time}',
  }),
  title: Type.String({ description: 'In English' }),
  content: Type.String({ description: 'In English' }),
};

export const Notification = Type.Object({
  id: Type.Integer({ description: 'The position of its event' }),
  type: Type.Unsafe<'system' | 'transaction'>({ type: 'string' }),
  ...noticeFields,
  created_at: Time,
  read: Type.Boolean(),
});
export type Notification = Static<typeof Notification>;

export const NotificationPage = Type.Object({
  ...pageOf(Notification).properties,
  ...unreadFields,
});
export type NotificationPage = Static<typeof NotificationPage>;

/** After a command that read some, or found them read. */
export const Unread = Type.Object({ ...unreadFields, position: Position });
export type Unread = Static<typeof Unread>;

const KeyParams = Type.Object({
  key: Type.String({
    pattern: IDEMPOTENCY_KEY_PATTERN,
    description: 'The Idempotency-Key of the command, URL-encoded',
  }),
});

export type CommandResult = BetResult | GameResult | StartResult | ExchangeResult | WithdrawResult;

/** What became of a command that was sent with an Idempotency-Key. */
export const CommandOutcome = Type.Object({
  status: oneOf(
    ['none', 'done', 'discarded'],
    'none: not executed so far; a request on its way may still be. done: executed. discarded: never executed',
  ),
  position: nullableInteger('Of its last event in the ledger'),
  result: Type.Unsafe<CommandResult | null>({
    description: 'The data that the command itself was answered with; null unless done',
  }),
});
export type CommandOutcome = Static<typeof CommandOutcome>;

const call = playerTopic('player');

export const profileRoutes = {
  profile: call('GET', '/user/profile', 'player', { summary: 'The player', data: User }),
  changeProfile: call('PUT', '/user/profile', 'player', {
    summary: 'Change the nickname',
    body: closed({ nickname: Type.String({ maxLength: 400 }) }),
    data: User,
  }),
  balance: call('GET', '/user/balance', 'player', {
    summary: 'Balances as the ledger has them now',
    data: Balances,
  }),
  achievements: call('GET', '/user/achievements', 'player', {
    summary: 'What was earned, by which round, and how far the rest has come',
    data: Type.Array(Achievement),
  }),
  transactions: call('GET', '/user/transactions', 'player', {
    summary: 'What moved the balances, newest first',
    query: pageQuery(20),
    data: pageOf(Transaction),
  }),
  notifications: call('GET', '/user/notifications', 'player', {
    summary: 'What the player was notified of, newest first',
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
    summary: 'What became of the command that was sent with an Idempotency-Key; executes nothing',
    params: KeyParams,
    data: CommandOutcome,
  }),
  discardCommand: call('POST', '/user/commands/:key/discard', 'player', {
    summary:
      'Use up the key of a command without an answer: it is never executed, or its outcome is returned',
    params: KeyParams,
    data: CommandOutcome,
  }),
};
