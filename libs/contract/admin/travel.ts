import { type Static, Type } from 'typebox';
import { closed, nullableInteger, nullableText, oneOf } from '../common.ts';
import { adminTopic } from '../route.ts';
import { Amount, ASSETS, At, Json, Limit, PLAIN, PointInTime, QueryText } from './common.ts';
import { Change } from './events.ts';

const AtQuery = closed({ at: At });

/** Where one can travel to, and what moment `at` is. */
const PointInTimeAnswer = Type.Object({
  at: PointInTime,
  first: PointInTime,
  head: PointInTime,
});

const stream = Type.String({
  pattern: PLAIN,
  minLength: 1,
  maxLength: 60,
  description: 'A wallet, or the name of a stream: config, treasury, seals, player-<wallet>',
});

const StreamState = Type.Object({
  at: PointInTime,
  version: Type.Integer({ description: '0: the stream had not begun' }),
  position: nullableInteger('Of the last event in it'),
  state: Json,
});

/** The state of a stream once everything up to a moment was in: a fold of its events from the first. */
export const StateAt = Type.Object({
  stream: Type.String(),
  ...StreamState.properties,
  next: nullableInteger('Position of the next event of the stream'),
  previous: nullableInteger('Position of the last event but one'),
  is_current: Type.Boolean({ description: 'Nothing came after it so far' }),
  state_differs: Type.Boolean({
    description: 'True is a fault: the stored state is not what the events give',
  }),
});
export type StateAt = Static<typeof StateAt>;

const between = { from: At, to: At };

export const StateDiff = Type.Object({
  stream: Type.String(),
  from: StreamState,
  to: StreamState,
  changes: Type.Array(Change),
});
export type StateDiff = Static<typeof StateDiff>;

const Line = Type.Object({ line: Type.String(), balance: Amount });

/** Positive: the account is owed. Per asset the lines sum to zero, or `sums` shows the fault. */
export const TrialBalance = Type.Object({
  at: PointInTime,
  lines: Type.Array(Line),
  sums: Type.Array(Amount),
});
export type TrialBalance = Static<typeof TrialBalance>;

export const TrialDiff = Type.Object({
  from: PointInTime,
  to: PointInTime,
  lines: Type.Array(
    Type.Object({ line: Type.String(), before: Amount, after: Amount, change: Amount }),
  ),
});
export type TrialDiff = Static<typeof TrialDiff>;

/** Every account that was ever moved, with what it held then, by name. */
const AccountsAt = Type.Object({
  at: PointInTime,
  accounts: Type.Array(
    Type.Object({
      account: Type.String(),
      balance: Amount,
      since: Type.Integer(),
    }),
  ),
  next: nullableText('`after` of the next page; null: there is none'),
});

const call = adminTopic('travel in time');

export const travelRoutes = {
  moment: call('GET', '/moment', 'viewer', {
    summary: 'What moment that is, and how far one can go',
    query: AtQuery,
    data: PointInTimeAnswer,
  }),
  stateAt: call('GET', '/state', 'viewer', {
    summary: 'The state of a stream as of then',
    query: closed({ stream, at: At }),
    data: StateAt,
  }),
  stateDiff: call('GET', '/state/diff', 'viewer', {
    summary: 'The difference of a stream between two moments',
    query: closed({ stream, ...between }),
    data: StateDiff,
  }),
  balanceAt: call('GET', '/balance', 'viewer', {
    summary: 'What an account held then',
    query: closed({
      account: Type.String({
        pattern: PLAIN,
        minLength: 1,
        maxLength: 60,
        description: 'player:<wallet>, house, fees, withdrawals, unmatched or chain',
      }),
      asset: oneOf(ASSETS),
      at: At,
    }),
    data: Type.Object({
      account: Type.String(),
      at: PointInTime,
      balance: Amount,
      since: nullableInteger('Position of the event that left it there; null: it was never moved'),
    }),
  }),
  trialBalance: call('GET', '/trial-balance', 'viewer', {
    summary: 'The whole trial balance as of then',
    query: AtQuery,
    data: TrialBalance,
  }),
  trialDiff: call('GET', '/trial-balance/diff', 'viewer', {
    summary: 'The difference of the trial balance between two moments',
    query: closed(between),
    data: TrialDiff,
  }),
  accounts: call('GET', '/accounts', 'viewer', {
    summary: 'Every account and what it held then',
    query: closed({
      at: At,
      after: QueryText('`next` of the page before'),
      limit: Limit(50),
    }),
    data: AccountsAt,
  }),
};
