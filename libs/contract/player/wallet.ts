import { HOLDS } from '@reelbook/ledger/holds';
import { type Static, Type } from 'typebox';
import {
  balanceFields,
  closed,
  EXAMPLE,
  KeyHeaders,
  named,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  Time,
  text,
} from '../common.ts';
import { playerTopic } from '../route.ts';

const EXCHANGE_TYPES = ['points', 'token'] as const;

export type ExchangeType = (typeof EXCHANGE_TYPES)[number];

const exchangeType = (description: string) => oneOf(EXCHANGE_TYPES, description);

/** The rules validate the amount, not this schema. */
export const ExchangeBody = closed({
  from_type: exchangeType('Asset to give'),
  to_type: exchangeType('Asset to receive'),
  amount: Type.Number({
    description: 'Amount of from_type: points with at most 2 decimals, BSM with at most 9',
  }),
  rate: Type.Optional(
    Type.Number({
      description: 'Units of to_type per unit of from_type, as shown; refused if it has changed',
    }),
  ),
});
export type ExchangeBody = Static<typeof ExchangeBody>;

export const ExchangeResult = named('ExchangeResult', {
  success: Type.Literal(true),
  from_type: exchangeType('Asset given'),
  to_type: exchangeType('Asset received'),
  amount: Type.Number({ description: 'Amount given, points or BSM' }),
  tokens_received: Type.Number({ description: 'BSM; 0 if points were bought' }),
  points_received: Type.Number({ description: 'Points; 0 if BSM was bought' }),
  rate: Type.Number({ description: 'Units of to_type per unit of from_type' }),
  created_at: Time,
  ...balanceFields,
});
export type ExchangeResult = Static<typeof ExchangeResult>;

export const DepositIntentBody = closed({
  amount: Type.Number({ description: 'BSM to be sent' }),
});
export type DepositIntentBody = Static<typeof DepositIntentBody>;

export const DepositIntentResult = named('DepositIntentResult', { success: Type.Literal(true) });
export type DepositIntentResult = Static<typeof DepositIntentResult>;

/** The schema limits the length of the hash; the rules validate it. */
export const DepositBody = closed({
  amount: Type.Number({ description: 'BSM sent; the amount that arrives is credited' }),
  tx_hash: text(EXAMPLE.transaction, {
    maxLength: 200,
    description: 'Solana transaction signature, base58',
  }),
  expiry: Type.Optional(
    closed({
      blockhash: text('EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N', {
        maxLength: 44,
        description: 'Of the signed transaction',
      }),
      last_valid_block_height: Type.Integer({
        minimum: 0,
        description:
          'It can land in no block above this height. Above it, a transaction that no node has is refused with `fault` = `expired`',
      }),
    }),
  ),
});
export type DepositBody = Static<typeof DepositBody>;

const DEPOSIT_STATUSES = ['pending', 'completed', 'failed', 'review'] as const;

export const DepositResult = named('DepositResult', {
  success: Type.Literal(true),
  status: oneOf(
    DEPOSIT_STATUSES,
    'pending: credited when finalized on the chain; review: an operator checks it',
  ),
  tx_hash: text(EXAMPLE.transaction),
  amount: Type.Number({
    description: 'BSM: as reported while pending, as credited when completed',
  }),
  message: text('seen; it is credited as soon as it is final on the chain'),
  ...balanceFields,
});
export type DepositResult = Static<typeof DepositResult>;

export const WithdrawBody = closed({
  amount: Type.Number({ description: 'BSM, gross: the fee is deducted' }),
  to_address: text(EXAMPLE.address, { maxLength: 200, description: 'Solana wallet address' }),
  fee_rate: Type.Optional(
    Type.Number({ description: '`withdraw_fee_rate` as shown; refused if it has changed' }),
  ),
  confirmation: Type.Optional(
    closed({
      message: text(
        'Withdraw 10 BSM from Reelbook at https://reelbook.example to 6SqDJLhKjMZjVFQeKbeQY2SVNJeb9i7qfVkT4LteivZt: 1795456199669',
        {
          maxLength: 512,
          description:
            'Withdraw <amount> BSM from Reelbook at <origin> to <to_address>: <milliseconds since 1970>',
        },
      ),
      signature: text('64,7,66,60', {
        maxLength: 512,
        description: "Of the player's wallet: 64 bytes as decimal numbers, separated by commas",
      }),
    }),
  ),
});
export type WithdrawBody = Static<typeof WithdrawBody>;

export const WithdrawResult = named('WithdrawResult', {
  success: Type.Literal(true),
  withdrawal_id: text(EXAMPLE.withdrawal),
  status: Type.Literal('pending'),
  amount: Type.Number({ description: 'BSM, gross' }),
  fee: Type.Number({ description: 'BSM' }),
  net_amount: Type.Number({ description: 'BSM to arrive' }),
  to_address: text(EXAMPLE.address),
  created_at: Time,
  ...balanceFields,
});
export type WithdrawResult = Static<typeof WithdrawResult>;

/** Progress of a deposit or withdrawal, as the live channel sends it. */
export const PaymentUpdate = named('PaymentUpdate', {
  id: Type.Integer({ description: 'Position of its event' }),
  type: oneOf(['deposit', 'withdraw']),
  status: oneOf(['pending', 'approved', 'processing', 'completed', 'returned']),
  amount: Type.Optional(Type.Number({ description: 'BSM; gross for a withdrawal' })),
  withdrawal_id: Type.Optional(text(EXAMPLE.withdrawal)),
  signature: Type.Optional(text(EXAMPLE.transaction, 'Solana transaction signature')),
  created_at: Time,
  stream_version: Type.Integer(),
});
export type PaymentUpdate = Static<typeof PaymentUpdate>;

/** Of a payment, in the order in which they happen. A returned withdrawal has no `sent` step, or a failed one. */
const PAYMENT_STEPS = [
  'reported',
  'requested',
  'approval',
  'approved',
  'sent',
  'attempt-failed',
  'final',
  'denied',
  'returned',
] as const;

const HOLD_CODES = Object.keys(HOLDS) as (keyof typeof HOLDS)[];

/** One deposit or withdrawal with its steps. */
export const Payment = named('Payment', {
  id: text(EXAMPLE.withdrawal, 'Id of the withdrawal, or signature of the deposit'),
  type: oneOf(['deposit', 'withdraw']),
  status: oneOf(
    ['pending', 'approved', 'processing', 'completed', 'returned', 'review', 'failed'],
    'processing: sent, not final yet; review: an operator checks the deposit',
  ),
  amount: Type.Number({ description: 'BSM, gross; as reported while a deposit is not credited' }),
  fee: Type.Number({ description: 'BSM; 0 for a deposit' }),
  net_amount: Type.Number({ description: 'BSM that arrive' }),
  to_address: nullableText('Receiving wallet; null for a deposit'),
  confirmed_by_wallet: Type.Boolean({
    description: 'true if the wallet of the player signed amount and address',
  }),
  signature: nullableText('Solana transaction signature of the last attempt'),
  explorer_url: nullableText('Page of the transaction; null on a local chain'),
  chain_status: nullable(
    oneOf(
      ['sent', 'confirmed', 'finalized'],
      'Of the transaction on the chain; null before it is sent, for a deposit that is not final, and after a failure',
    ),
  ),
  hold: nullable(
    Type.Object({
      code: oneOf(HOLD_CODES, 'Why a withdrawal waits'),
      facts: Type.Unsafe<Readonly<Record<string, number>>>({
        type: 'object',
        additionalProperties: true,
      }),
      text: text('two operators approve it'),
    }),
  ),
  usual: nullable(
    Type.Object(
      {
        ms: Type.Integer({ description: 'Median from request to final' }),
        count: Type.Integer({ description: 'Number of the newest paid withdrawals it is of' }),
      },
      { description: 'How long past withdrawals took; null unless this one is open' },
    ),
  ),
  reason: nullableText('Why it was returned or failed'),
  fault: nullableText('Code of the reason of a failed deposit'),
  steps: Type.Array(
    Type.Object({
      step: oneOf(PAYMENT_STEPS),
      at: Time,
      position: nullableInteger('Position of its event; null for a report'),
      approvals: Type.Optional(Type.Integer()),
      needed: Type.Optional(Type.Integer()),
    }),
  ),
});
export type Payment = Static<typeof Payment>;

export const FaucetGift = named('FaucetGift', {
  wallet_address: text(EXAMPLE.address),
  amount: Type.Number({ description: 'BSM given' }),
  sol: Type.Number({ description: 'SOL given for fees' }),
  tx_hash: text(EXAMPLE.transaction),
  next_at: text(EXAMPLE.time, 'Earliest time of the next call, ISO 8601, UTC'),
});
export type FaucetGift = Static<typeof FaucetGift>;

const call = playerTopic('wallet');

export const walletRoutes = {
  exchange: call('POST', '/transaction/exchange', 'player', {
    summary: 'Exchange points for BSM or BSM for points, at the configured rates',
    headers: KeyHeaders,
    body: ExchangeBody,
    data: ExchangeResult,
  }),
  depositIntent: call('POST', '/transaction/deposit-intent', 'player', {
    summary:
      'Check whether an amount may be deposited, including pending deposits; call it before the transfer',
    body: DepositIntentBody,
    data: DepositIntentResult,
  }),
  deposit: call('POST', '/transaction/deposit', 'player', {
    summary: 'Report a transfer to the treasury (project wallet); it is credited when finalized',
    body: DepositBody,
    data: DepositResult,
  }),
  withdraw: call('POST', '/transaction/withdraw', 'player', {
    summary:
      "Request a withdrawal of BSM; the amount is reserved immediately and sent after approval. To another address than the player's wallet, operators approve it unless the wallet signed a confirmation; each counts once",
    headers: KeyHeaders,
    body: WithdrawBody,
    data: WithdrawResult,
  }),
  payment: call('GET', '/user/payments/:id', 'player', {
    summary: 'Get a withdrawal by its id, or a deposit by its signature, with its steps',
    params: Type.Object({ id: text(EXAMPLE.withdrawal, { pattern: '^[0-9A-Za-z-]{1,100}$' }) }),
    data: Payment,
  }),
  walletBalance: call('GET', '/user/wallet-balance', 'player', {
    summary: 'Get the BSM balance of a wallet on the chain',
    query: closed({
      wallet_address: Type.Optional(
        text(EXAMPLE.address, {
          maxLength: 64,
          description: "Solana wallet address; default: the player's own",
        }),
      ),
    }),
    data: Type.Object({
      wallet_address: text(EXAMPLE.address),
      balance: Type.Number({ description: 'BSM on the chain; 0 without a token account' }),
      stale: Type.Boolean({
        description: 'true if the chain did not respond in time: last known balance, or 0',
      }),
      as_of: nullableText('Time of the last response of the chain; null if it never responded'),
    }),
  }),
  faucet: call('POST', '/faucet', 'player', {
    summary: "Send play money to the player's wallet; exists only on the local chain",
    data: FaucetGift,
  }),
};
