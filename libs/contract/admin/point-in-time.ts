import { Type } from 'typebox';
import { closed, oneOf } from '../common.ts';
import { adminTopic } from '../route.ts';
import { ASSETS, At, Cursor, Limit, PLAIN, QueryText } from './common.ts';

const AtQuery = closed({ at: At });

const name = (description: string) =>
  Type.String({ pattern: PLAIN, minLength: 1, maxLength: 60, description });
const stream = name('Name of a stream (config, treasury, seals, player-<wallet>), or a wallet');
const account = name('Account: player:<wallet>, house, fees, withdrawals, unmatched or chain');

const between = { from: At, to: At };

const call = adminTopic('point in time');

export const pointInTimeRoutes = {
  pointInTime: call('GET', '/moment', 'viewer', {
    summary: 'Resolve a point in time, and get the available range',
    query: AtQuery,
  }),
  stateAt: call('GET', '/state', 'viewer', {
    summary: 'Get the state of a stream at a point in time',
    query: closed({ stream, at: At }),
  }),
  stateDiff: call('GET', '/state/diff', 'viewer', {
    summary: 'Compare the state of a stream at two points in time',
    query: closed({ stream, ...between }),
  }),
  explainBalance: call('GET', '/balance/explanation', 'viewer', {
    summary:
      'Explain the balances of an account, all at one position: opening, each kind of credit and debit, balance',
    query: closed({
      account,
      asset: Type.Optional(oneOf(ASSETS)),
      from: QueryText('The opening: position or ISO 8601 time; default: before the first event'),
      at: At,
    }),
  }),
  accountMovements: call('GET', '/balance/movements', 'viewer', {
    summary: 'List the events that moved an account, with the balance after each, newest first',
    query: closed({
      account,
      asset: oneOf(ASSETS),
      before: Cursor('`next` of the previous page'),
      limit: Limit(50),
    }),
  }),
  trialDiff: call('GET', '/trial-balance/diff', 'viewer', {
    summary: 'Compare the trial balance at two points in time',
    query: closed(between),
  }),
};
