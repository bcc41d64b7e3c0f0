import { type Static, Type } from 'typebox';
import {
  Amount,
  Facts,
  Hold,
  Limit,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  PLAIN,
  PlayerRef,
  Position,
  QueryText,
  sentenceFields,
  Time,
} from './parts.ts';

const WITHDRAWAL_STATUSES = ['requested', 'approved', 'signed', 'finalized', 'released'] as const;

export const WithdrawalsQuery = Type.Object(
  {
    status: Type.Optional(
      oneOf(
        ['open', 'all', ...WITHDRAWAL_STATUSES],
        'open: neither paid nor released; the default',
      ),
    ),
    wallet: QueryText('Of one player'),
    before: QueryText('`next` of the page before'),
    limit: Limit(50),
  },
  { additionalProperties: false },
);
export type WithdrawalsQuery = Static<typeof WithdrawalsQuery>;

/** What a person should look at before money leaves, in English; `{name}` stands for the fact of that name. */
export const RISKS = {
  'no-play': 'the player has never settled a round',
  'new-player': 'the player registered less than 24 hours before',
  luck: 'luck beyond chance in {rounds} rounds, by the last audit (e-value {eValue})',
  velocity: '{asked} asked for within 24 hours',
  'attempt-failed': 'attempt {attempt} was not the first, or failed',
  large: 'more than {most}: takes two operators',
  'other-address': "it goes to another address than the player's own",
  first: 'the first withdrawal of this player',
  'new-address': 'the first to this address',
  'on-hold': 'the cashier waits: {why}',
} as const;

/** `weight` 2: stop and think. */
const Risk = Type.Object({
  code: oneOf(Object.keys(RISKS) as (keyof typeof RISKS)[]),
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

export const WithdrawalParams = Type.Object({
  withdrawal: Type.String({ minLength: 1, maxLength: 100, pattern: PLAIN }),
});

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

export const UnmatchedQuery = Type.Object(
  { after: QueryText('`next` of the page before'), limit: Limit(50) },
  { additionalProperties: false },
);

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
