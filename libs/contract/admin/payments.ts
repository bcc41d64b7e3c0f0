import { Type } from 'typebox';
import { closed, oneOf } from '../common.ts';
import { adminTopic } from '../route.ts';
import { actionWith, Id, Limit, PLAIN, plainAction, QueryText } from './common.ts';

const WITHDRAWAL_STATUSES = ['requested', 'approved', 'signed', 'finalized', 'released'] as const;

/**
 * `pending`: reported by a player, or seen on the chain, and not recorded. `failed`: what a player reported is no deposit of the
 * player. `dust`: small, and of no player; only found by its transaction.
 */
const DEPOSIT_STATES = ['credited', 'pending', 'unmatched', 'resolved', 'failed'] as const;
export type DepositState = (typeof DEPOSIT_STATES)[number] | 'dust';

const WithdrawalOnly = Type.Object({ withdrawal: Id });

const call = adminTopic('payments');

export const paymentRoutes = {
  withdrawals: call('GET', '/withdrawals', 'viewer', {
    summary: 'List withdrawals with their risks: open ones oldest first, others newest first',
    query: closed({
      status: Type.Optional(
        oneOf(['open', 'all', ...WITHDRAWAL_STATUSES], 'open (default): neither paid nor released'),
      ),
      wallet: QueryText('Wallet of a player'),
      before: QueryText('`next` of the previous page'),
      limit: Limit(50),
    }),
  }),
  withdrawal: call('GET', '/withdrawals/:withdrawal', 'viewer', {
    summary: 'Get a withdrawal with its events',
    params: Type.Object({
      withdrawal: Type.String({ minLength: 1, maxLength: 100, pattern: PLAIN }),
    }),
  }),
  approveWithdrawal: call('POST', '/withdrawals/:withdrawal/approve', 'operator', {
    summary: 'Approve a withdrawal; above the threshold, two operators must approve',
    params: WithdrawalOnly,
    ...plainAction,
  }),
  denyWithdrawal: call('POST', '/withdrawals/:withdrawal/deny', 'operator', {
    summary: 'Deny a withdrawal; the full amount with the fee returns to the player',
    params: WithdrawalOnly,
    ...plainAction,
  }),
  markExpired: call('POST', '/withdrawals/:withdrawal/expired', 'operator', {
    summary: 'Confirm that the signed attempt expired without landing; it is signed again',
    params: WithdrawalOnly,
    ...actionWith({
      block_height: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Finalized block height at which you verified that the attempt had expired',
      }),
    }),
  }),
  deposits: call('GET', '/deposits', 'viewer', {
    summary:
      'List deposits of the ledger, reports of players and arrivals on the chain, newest first',
    query: closed({
      state: Type.Optional(oneOf(DEPOSIT_STATES, 'Default: all')),
      q: QueryText(
        'Nickname, wallet, public id or transaction, or its start; amount in BSM; day in UTC. All must match',
      ),
      before: QueryText('`next` of the previous page'),
      limit: Limit(50),
    }),
  }),
  resolveUnmatched: call('POST', '/unmatched-deposits/:signature/resolve', 'operator', {
    summary: 'Assign an unmatched deposit to a player or the house',
    params: Type.Object({
      signature: Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{64,90}$' }),
    }),
    ...actionWith({
      to: Type.String({
        pattern: '^(house|player:[1-9A-HJ-NP-Za-km-z]{32,44})$',
        description: 'Recipient: house, or player:<wallet>',
      }),
    }),
  }),
};
