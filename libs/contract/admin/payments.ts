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
  ProposalNumber,
  QueryText,
  Reason,
  ReasonBody,
  sentenceFields,
} from './common.ts';
import { Standing } from './players.ts';

const WITHDRAWAL_STATUSES = ['requested', 'approved', 'signed', 'finalized', 'released'] as const;

/** `weight` 2 needs the most attention. */
const Risk = Type.Object({
  code: oneOf(Object.keys(risks) as (keyof typeof risks)[]),
  facts: Facts,
  text: Type.String({ description: 'English text' }),
  weight: Type.Integer({ minimum: 1, maximum: 2 }),
});

const PlayerWithStanding = Type.Object({ ...PlayerRef.properties, standing: Standing });

const withdrawal = {
  withdrawal: Type.String(),
  player: PlayerWithStanding,
  to_address: Type.String(),
  amount: Amount,
  fee: Amount,
  net: Amount,
  status: oneOf(WITHDRAWAL_STATUSES),
  approved_by: Type.Array(Type.String()),
  approvals_needed: Type.Integer({ description: '2 above the threshold of the configuration' }),
  attempts: Type.Integer(),
  signature: nullableText('Transaction signature of the last attempt'),
  last_valid_block_height: nullableInteger(),
  hold: nullable(Hold),
  reason: nullableText('Why it was denied, or why its last attempt failed'),
  risks: Type.Array(Risk),
  requested_at: Time,
  updated_at: Time,
  position: Position,
};

export const Withdrawal = Type.Object(withdrawal);
export type Withdrawal = Static<typeof Withdrawal>;

/** Open withdrawals oldest first, others newest first. */
export const WithdrawalsPage = Type.Object({
  withdrawals: Type.Array(Withdrawal),
  next: nullableText('`before` of the next page; null on the last page'),
  threshold: Amount,
  enabled: Type.Boolean({ description: 'false: withdrawals are paused by the configuration' }),
});
export type WithdrawalsPage = Static<typeof WithdrawalsPage>;

export const WithdrawalDetail = Type.Object({
  ...withdrawal,
  transaction: nullableText('Signed transaction of the last attempt, base64'),
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

/** Oldest first. */
export const UnmatchedPage = Type.Object({
  deposits: Type.Array(
    Type.Object({
      signature: Type.String(),
      token_account: Type.String(),
      slot: Type.Integer(),
      amount: Amount,
      sender: nullableText('Wallet of the sender; null if there is none or several'),
      sender_player: nullable(PlayerWithStanding),
      reason: Type.String(),
      position: nullableInteger('Position of its event'),
      seen_at: Time,
      proposals: Type.Array(Type.Integer(), {
        description: 'Numbers of the open proposals about it',
      }),
    }),
  ),
  threshold: Amount,
  next: nullableText('`after` of the next page; null on the last page'),
});
export type UnmatchedPage = Static<typeof UnmatchedPage>;

const WithdrawalOnly = Type.Object({ withdrawal: Id });

const call = adminTopic('payments');

export const paymentRoutes = {
  withdrawals: call('GET', '/withdrawals', 'viewer', {
    summary: 'List withdrawals with their risks',
    query: closed({
      status: Type.Optional(
        oneOf(['open', 'all', ...WITHDRAWAL_STATUSES], 'open (default): neither paid nor released'),
      ),
      wallet: QueryText('Wallet of a player'),
      before: QueryText('`next` of the previous page'),
      limit: Limit(50),
    }),
    data: WithdrawalsPage,
  }),
  withdrawal: call('GET', '/withdrawals/:withdrawal', 'viewer', {
    summary: 'Get a withdrawal with its events',
    params: Type.Object({
      withdrawal: Type.String({ minLength: 1, maxLength: 100, pattern: PLAIN }),
    }),
    data: WithdrawalDetail,
  }),
  approveWithdrawal: call('POST', '/withdrawals/:withdrawal/approve', 'operator', {
    summary: 'Approve a withdrawal; above the threshold, two operators must approve',
    params: WithdrawalOnly,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Empty,
  }),
  denyWithdrawal: call('POST', '/withdrawals/:withdrawal/deny', 'operator', {
    summary: 'Deny a withdrawal; the full amount with the fee returns to the player',
    params: WithdrawalOnly,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Empty,
  }),
  markExpired: call('POST', '/withdrawals/:withdrawal/expired', 'operator', {
    summary: 'Confirm that the signed attempt expired without landing; it is signed again',
    params: WithdrawalOnly,
    headers: KeyHeaders,
    body: closed({
      block_height: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Finalized block height at which you verified that the attempt had expired',
      }),
      reason: Reason,
    }),
    data: Empty,
  }),
  unmatched: call('GET', '/unmatched-deposits', 'viewer', {
    summary: 'List deposits that could not be attributed to a player',
    query: closed({
      after: QueryText('`next` of the previous page'),
      limit: Limit(50),
    }),
    data: UnmatchedPage,
  }),
  resolveUnmatched: call('POST', '/unmatched-deposits/:signature/resolve', 'operator', {
    summary: 'Assign an unmatched deposit to a player or the house',
    params: Type.Object({
      signature: Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{64,90}$' }),
    }),
    headers: KeyHeaders,
    body: closed({
      to: Type.String({
        pattern: '^(house|player:[1-9A-HJ-NP-Za-km-z]{32,44})$',
        description: 'Recipient: house, or player:<wallet>',
      }),
      reason: Reason,
    }),
    data: Type.Object({ proposal: ProposalNumber }),
  }),
};
