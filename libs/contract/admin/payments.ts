import { type Static, Type } from 'typebox';
import {
  closed,
  Empty,
  KeyHeaders,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  Position,
  Time,
} from '../common.ts';
import { risks } from '../english.ts';
import { adminTopic } from '../route.ts';
import {
  Amount,
  Facts,
  Hold,
  Id,
  Limit,
  PLAIN,
  PlayerRef,
  QueryText,
  Reason,
  ReasonBody,
  sentenceFields,
} from './common.ts';

const WITHDRAWAL_STATUSES = ['requested', 'approved', 'signed', 'finalized', 'released'] as const;

/** `weight` 2: stop and think. */
const Risk = Type.Object({
  code: oneOf(Object.keys(risks) as (keyof typeof risks)[]),
  facts: Facts,
  text: Type.String({ description: 'In English' }),
  weight: Type.Integer({ minimum: 1, maximum: 2 }),
});

const withdrawal = {
  withdrawal: Type.String(),
  player: PlayerRef,
  to_address: Type.String(),
  amount: Amount,
  fee: Amount,
  net: Amount,
  status: oneOf(WITHDRAWAL_STATUSES),
  approved_by: Type.Array(Type.String()),
  approvals_needed: Type.Integer({ description: 'Two above the threshold of the configuration' }),
  attempts: Type.Integer(),
  signature: nullableText('Of the last attempt'),
  last_valid_block_height: nullableInteger(),
  hold: nullable(Hold),
  reason: nullableText('Why it was denied, or its last attempt failed'),
  risks: Type.Array(Risk),
  requested_at: Time,
  updated_at: Time,
  position: Position,
};

export const Withdrawal = Type.Object(withdrawal);
export type Withdrawal = Static<typeof Withdrawal>;

/** Open ones the oldest first, others the newest first. */
export const WithdrawalsPage = Type.Object({
  withdrawals: Type.Array(Withdrawal),
  next: nullableText('`before` of the next page; null: there is none'),
  threshold: Amount,
  enabled: Type.Boolean({ description: 'False: withdrawals are paused by the configuration' }),
});
export type WithdrawalsPage = Static<typeof WithdrawalsPage>;

export const WithdrawalDetail = Type.Object({
  ...withdrawal,
  transaction: nullableText('Signed bytes of the last attempt, in base64'),
  signed_slot: nullableInteger(),
  events: Type.Array(
    Type.Object({
      position: Position,
      time: Time,
      type: Type.String(),
      actor: Type.String(),
      ...sentenceFields,
    }),
  ),
});
export type WithdrawalDetail = Static<typeof WithdrawalDetail>;

/** The oldest first. */
export const UnmatchedPage = Type.Object({
  deposits: Type.Array(
    Type.Object({
      signature: Type.String(),
      token_account: Type.String(),
      slot: Type.Integer(),
      amount: Amount,
      sender: nullableText('Null: none, or several'),
      sender_player: nullable(PlayerRef),
      reason: Type.String(),
      position: nullableInteger('Of its event'),
      seen_at: Time,
      proposed: nullable(
        Type.Object(
          { to: Type.String(), by: Type.String() },
          { description: 'What one operator said; another has to say the same' },
        ),
      ),
    }),
  ),
  threshold: Amount,
  next: nullableText('`after` of the next page; null: there is none'),
});
export type UnmatchedPage = Static<typeof UnmatchedPage>;

const WithdrawalOnly = Type.Object({ withdrawal: Id });

const call = adminTopic('desk');

export const paymentRoutes = {
  withdrawals: call('GET', '/withdrawals', 'viewer', {
    summary: 'Withdrawals, with what to look at before they are approved',
    query: closed({
      status: Type.Optional(
        oneOf(
          ['open', 'all', ...WITHDRAWAL_STATUSES],
          'open: neither paid nor released; the default',
        ),
      ),
      wallet: QueryText('Of one player'),
      before: QueryText('`next` of the page before'),
      limit: Limit(50),
    }),
    data: WithdrawalsPage,
  }),
  withdrawal: call('GET', '/withdrawals/:withdrawal', 'viewer', {
    summary: 'A withdrawal and all that became of it',
    params: Type.Object({
      withdrawal: Type.String({ minLength: 1, maxLength: 100, pattern: PLAIN }),
    }),
    data: WithdrawalDetail,
  }),
  approveWithdrawal: call('POST', '/withdrawals/:withdrawal/approve', 'operator', {
    summary: 'Approve a withdrawal; it takes two different operators',
    params: WithdrawalOnly,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Empty,
  }),
  denyWithdrawal: call('POST', '/withdrawals/:withdrawal/deny', 'operator', {
    summary: 'Deny a withdrawal: all of it goes back, the fee too',
    params: WithdrawalOnly,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Empty,
  }),
  sayExpired: call('POST', '/withdrawals/:withdrawal/expired', 'operator', {
    summary: 'You made sure that the signed attempt never landed and is dead; it is signed anew',
    params: WithdrawalOnly,
    headers: KeyHeaders,
    body: closed({
      block_height: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The finalized height at which you saw that the attempt is dead',
      }),
      reason: Reason,
    }),
    data: Empty,
  }),
  unmatched: call('GET', '/unmatched-deposits', 'viewer', {
    summary: 'Deposits that nobody could be given, and that nobody has resolved',
    query: closed({
      after: QueryText('`next` of the page before'),
      limit: Limit(50),
    }),
    data: UnmatchedPage,
  }),
  resolveUnmatched: call('POST', '/unmatched-deposits/:signature/resolve', 'operator', {
    summary: 'Say whose an unmatched deposit is',
    params: Type.Object({
      signature: Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{64,90}$' }),
    }),
    headers: KeyHeaders,
    body: closed({
      to: Type.String({
        pattern: '^(house|player:[1-9A-HJ-NP-Za-km-z]{32,44})$',
        description: 'house, or player:<wallet>',
      }),
      reason: Reason,
    }),
    data: Empty,
  }),
};
