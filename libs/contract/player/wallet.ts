import { type Static, Type } from 'typebox';
import { balanceFields, closed, KeyHeaders, nullableText, oneOf, Time } from '../common.ts';
import { playerTopic } from '../route.ts';

const EXCHANGE_TYPES = ['points', 'token'] as const;

export type ExchangeType = (typeof EXCHANGE_TYPES)[number];

const exchangeType = (description: string) => oneOf(EXCHANGE_TYPES, description);

/** Whether the amount is there, and gives something, is for the rules to say, in their own phrases. */
export const ExchangeBody = closed({
  from_type: exchangeType('What is given'),
  to_type: exchangeType('What comes for it'),
  amount: Type.Number({ description: 'Of from_type, in whole units' }),
});
export type ExchangeBody = Static<typeof ExchangeBody>;

export const ExchangeResult = Type.Object({
  success: Type.Literal(true),
  from_type: exchangeType('What was given'),
  to_type: exchangeType('What came for it'),
  amount: Type.Number({ description: 'Given, in whole units' }),
  tokens_received: Type.Number({ description: '0 when points were bought' }),
  points_received: Type.Number({ description: '0 when token were bought' }),
  rate: Type.Number({ description: 'Whole units of to_type for one of from_type' }),
  created_at: Time,
  ...balanceFields,
});
export type ExchangeResult = Static<typeof ExchangeResult>;

export const DepositIntentBody = closed({
  amount: Type.Number({ description: 'BSM that is to be sent' }),
});
export type DepositIntentBody = Static<typeof DepositIntentBody>;

export const DepositIntentResult = Type.Object({ success: Type.Literal(true) });
export type DepositIntentResult = Static<typeof DepositIntentResult>;

/** What is too long to be any transaction's hash is refused by its length, what is no hash in the words of the rules. */
export const DepositBody = closed({
  amount: Type.Number({ description: 'BSM sent; what is credited is what arrived' }),
  tx_hash: Type.String({ maxLength: 200, description: 'Signature of the transaction, base58' }),
});
export type DepositBody = Static<typeof DepositBody>;

const DEPOSIT_STATUSES = ['pending', 'completed', 'failed', 'review'] as const;

export const DepositResult = Type.Object({
  success: Type.Literal(true),
  status: oneOf(
    DEPOSIT_STATUSES,
    'pending: credited when it is final on the chain; review: a person looks at it',
  ),
  tx_hash: Type.String(),
  amount: Type.Number({ description: 'BSM: credited when completed, as reported until then' }),
  message: Type.String(),
  ...balanceFields,
});
export type DepositResult = Static<typeof DepositResult>;

export const WithdrawBody = closed({
  amount: Type.Number({ description: 'BSM, gross: the fee is taken out of it' }),
  to_address: Type.String({ maxLength: 200, description: 'A Solana wallet' }),
});
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

export const FaucetGift = Type.Object({
  wallet_address: Type.String(),
  amount: Type.Number({ description: 'BSM given' }),
  sol: Type.Number({ description: 'SOL given, for fees' }),
  tx_hash: Type.String(),
  next_at: Time,
});
export type FaucetGift = Static<typeof FaucetGift>;

const call = playerTopic('wallet');

export const walletRoutes = {
  exchange: call('POST', '/transaction/exchange', 'player', {
    summary: 'Points for BSM or BSM for points, at the rates of the configuration',
    headers: KeyHeaders,
    body: ExchangeBody,
    data: ExchangeResult,
  }),
  depositIntent: call('POST', '/transaction/deposit-intent', 'player', {
    summary:
      'Whether so much may be deposited now, with what is on its way; asked before the wallet sends',
    body: DepositIntentBody,
    data: DepositIntentResult,
  }),
  deposit: call('POST', '/transaction/deposit', 'player', {
    summary: 'Report a transfer to the project wallet; it is credited when it is final',
    body: DepositBody,
    data: DepositResult,
  }),
  withdraw: call('POST', '/transaction/withdraw', 'player', {
    summary: 'Send BSM to a Solana wallet; it is set aside at once and paid when it is approved',
    headers: KeyHeaders,
    body: WithdrawBody,
    data: WithdrawResult,
  }),
  walletBalance: call('GET', '/user/wallet-balance', 'player', {
    summary: 'BSM that a wallet holds on the chain',
    query: closed({
      wallet_address: Type.Optional(
        Type.String({
          maxLength: 64,
          description: "In base58; the player's own where it is left out",
        }),
      ),
    }),
    data: Type.Object({
      wallet_address: Type.String(),
      balance: Type.Number({ description: 'BSM on the chain; 0 without a token account' }),
      stale: Type.Boolean({
        description:
          'The chain could not be asked in time: this is what was last known, 0 if nothing',
      }),
      as_of: nullableText('When the chain was asked; null while it never answered'),
    }),
  }),
  faucet: call('POST', '/faucet', 'player', {
    summary:
      "Play money for the player's wallet, on the local chain alone; nowhere else does this path exist",
    data: FaucetGift,
  }),
};
