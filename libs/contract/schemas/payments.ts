import { type Static, Type } from 'typebox';
import { balanceFields, Time } from './common.ts';

export const DepositIntentBody = Type.Object(
  { amount: Type.Number({ description: 'BSM that is to be sent' }) },
  { additionalProperties: false },
);
export type DepositIntentBody = Static<typeof DepositIntentBody>;

export const DepositIntentResult = Type.Object({ success: Type.Literal(true) });
export type DepositIntentResult = Static<typeof DepositIntentResult>;

/** What is too long to be any transaction's hash is refused by its length, what is no hash in the words of the rules. */
export const DepositBody = Type.Object(
  {
    amount: Type.Number({ description: 'BSM sent; what is credited is what arrived' }),
    tx_hash: Type.String({ maxLength: 200, description: 'Signature of the transaction, base58' }),
  },
  { additionalProperties: false },
);
export type DepositBody = Static<typeof DepositBody>;

export const DEPOSIT_STATUSES = ['pending', 'completed', 'failed', 'review'] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

export const DepositResult = Type.Object({
  success: Type.Literal(true),
  status: Type.Unsafe<DepositStatus>({
    type: 'string',
    enum: [...DEPOSIT_STATUSES],
    description: 'pending: credited when it is final on the chain; review: a person looks at it',
  }),
  tx_hash: Type.String(),
  amount: Type.Number({ description: 'BSM: credited when completed, as reported until then' }),
  message: Type.String(),
  ...balanceFields,
});
export type DepositResult = Static<typeof DepositResult>;

export const WithdrawBody = Type.Object(
  {
    amount: Type.Number({ description: 'BSM, gross: the fee is taken out of it' }),
    to_address: Type.String({ maxLength: 200, description: 'A Solana wallet' }),
  },
  { additionalProperties: false },
);
export type WithdrawBody = Static<typeof WithdrawBody>;

export const WithdrawResult = Type.Object({
  success: Type.Literal(true),
  withdrawal_id: Type.String(),
  status: Type.Literal('pending'),
  amount: Type.Number({ description: 'BSM, gross' }),
  fee: Type.Number(),
  net_amount: Type.Number({ description: 'BSM that will arrive' }),
  to_address: Type.String(),
  created_at: Time,
  ...balanceFields,
});
export type WithdrawResult = Static<typeof WithdrawResult>;

/** How far money over the chain has come, as the live channel tells it. */
export const PaymentUpdate = Type.Object({
  id: Type.Integer({ description: 'The position of its event' }),
  type: Type.Unsafe<'deposit' | 'withdraw'>({ type: 'string' }),
  status: Type.Unsafe<'pending' | 'approved' | 'processing' | 'completed' | 'returned'>({
    type: 'string',
  }),
  amount: Type.Optional(Type.Number({ description: 'BSM: of a withdrawal gross' })),
  withdrawal_id: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String({ description: 'Of the transaction on the chain' })),
  created_at: Time,
  stream_version: Type.Integer(),
});
export type PaymentUpdate = Static<typeof PaymentUpdate>;
