import { toText } from '@reelbook/ledger/money';
import type { RejectionCode } from '@reelbook/ledger/rejections';
import type { Words } from './answer-words.ts';

/** The words of deposits and withdrawals; clients match the specification's phrases in them. */

const bsm = (value: unknown) => (typeof value === 'bigint' ? toText('token', value) : '?');

type PaymentCode = Extract<
  Exclude<RejectionCode, 'deposit-limit-reached'>,
  | `deposit${string}`
  | `withdrawal${string}`
  | 'no-such-withdrawal'
  | `${'' | 'no-such-'}unmatched${string}`
>;

export const paymentAnswers: Readonly<
  Record<PaymentCode | 'no-chain' | 'decided-otherwise', readonly [status: number, words: Words]>
> = {
  'no-chain': [
    503,
    'the chain cannot be reached, so BSM can neither come nor go now; play goes on',
  ],
  'decided-otherwise': [409, 'this was decided otherwise before'],
  'deposit-amount-invalid': [
    400,
    'Please enter a valid deposit amount: above 0, with at most 9 decimals',
  ],
  'deposit-below-minimum': [
    400,
    (d) =>
      `Please enter a valid deposit amount: it is below minimum deposit of ${bsm(d.tokenMinor)}`,
  ],
  'deposit-above-maximum': [
    400,
    (d) => `amount exceeds maximum deposit of ${bsm(d.tokenMinor)} in one transaction`,
  ],
  'deposit-hash-invalid': [
    400,
    'Please enter a valid transaction hash (at least 32 characters): 64 bytes in base58',
  ],
  'deposit-not-ours': [400, (d) => `this transaction is no deposit of yours: ${d.fault}`],
  'deposits-too-many': [
    429,
    (d) => `${d.max} of your reported transactions are still looked for; wait until they are found`,
  ],
  'withdrawal-amount-invalid': [
    400,
    'withdrawal amount must be above 0, with at most 9 decimals of BSM',
  ],
  'withdrawal-insufficient-token': [
    400,
    (d) => `Insufficient token balance! You have ${bsm(d.tokenMinor)}`,
  ],
  'withdrawal-too-small': [400, 'withdrawal amount too small: the fee would take all of it'],
  'withdrawal-below-minimum': [
    400,
    (d) => `withdrawal amount is below the minimum withdrawal of ${bsm(d.tokenMinor)}`,
  ],
  'withdrawal-below-account-minimum': [
    400,
    (d) =>
      `this wallet has no BSM account yet, and making one costs: withdraw at least ${bsm(d.tokenMinor)}`,
  ],
  'withdrawal-address-invalid': [
    400,
    'to_address is not a valid wallet address: a Solana wallet is needed, no token account, mint or program',
  ],
  'withdrawal-address-ours': [400, 'to_address is our own wallet; name one of yours'],
  'withdrawals-too-many': [
    429,
    (d) => `${d.max} of your withdrawals are under way; wait until one is done`,
  ],
  'withdrawals-paused': [422, 'withdrawals are paused for now; what was asked for waits'],
  'no-such-withdrawal': [404, 'there is no such withdrawal under way'],
  'withdrawal-reason-missing': [400, (d) => `a reason of 1 to ${d.max} characters is needed`],
  'withdrawal-needs-operators': [422, 'this withdrawal is for two operators to approve'],
  'withdrawal-not-waiting': [409, (d) => `this withdrawal waits for no approval: it is ${d.stage}`],
  'withdrawal-approved-already': [409, 'you have approved it; another operator must as well'],
  'withdrawal-on-its-way': [
    409,
    'this withdrawal is signed and may be on its way; it must end first',
  ],
  'withdrawal-not-approved': [409, (d) => `this withdrawal cannot be signed: it is ${d.stage}`],
  'withdrawal-not-signed': [
    409,
    (d) => `no such attempt of this withdrawal is open: it is ${d.stage}`,
  ],
  'withdrawal-not-expired': [
    409,
    (d) => `this attempt may still land: it is valid to block ${d.lastValidBlockHeight}`,
  ],
  'no-such-unmatched-deposit': [404, 'there is no such unmatched deposit'],
  'unmatched-needs-operators': [
    409,
    'this takes two operators who say the same, and what the other said has changed: look again',
  ],
  'unmatched-proposed-already': [
    409,
    'this is proposed already; another operator must say the same',
  ],
  'unmatched-proposals-too-many': [
    429,
    (d) => `${d.max} resolutions wait for a second operator; decide those first`,
  ],
};
