import { type Static, Type } from 'typebox';
import { closed, nullableInteger, nullableText, oneOf, Position, Time } from '../common.ts';
import { adminTopic } from '../route.ts';
import {
  Amount,
  ASSETS,
  At,
  Cursor,
  FilterAnswer,
  Hash,
  Json,
  Limit,
  PLAIN,
  PointInTime,
  QueryText,
  sentenceFields,
} from './common.ts';
import { Change } from './events.ts';

const AtQuery = closed({ at: At });

/** `at` is the selected point; `first` and `head` bound the available ones. */
const PointInTimeAnswer = Type.Object({
  at: Type.Object({ ...PointInTime.properties, hash: Hash }),
  first: PointInTime,
  head: PointInTime,
});

const stream = Type.String({
  pattern: PLAIN,
  minLength: 1,
  maxLength: 60,
  description: 'Name of a stream (config, treasury, seals, player-<wallet>), or a wallet',
});

const StreamState = Type.Object({
  at: PointInTime,
  version: Type.Integer({ description: '0 if the stream did not exist yet' }),
  position: nullableInteger('Position of the last event included'),
  state: Json,
});

/** The state of a stream at a point in time, folded from its first event. */
export const StateAt = Type.Object({
  stream: Type.String(),
  ...StreamState.properties,
  next: nullableInteger('Position of the next event of the stream'),
  previous: nullableInteger('Position of the last event but one'),
  is_current: Type.Boolean({ description: 'true if the stream has no later event' }),
  state_differs: Type.Boolean({
    description: 'true is a fault: the stored state does not match the events',
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

/** Positive: the amount is owed to the account. The lines of an asset sum to zero; anything else in `sums` is a fault. */
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

const account = Type.String({
  pattern: PLAIN,
  minLength: 1,
  maxLength: 60,
  description: 'Account: player:<wallet>, house, fees, withdrawals, unmatched or chain',
});

/** `opening` and the terms add up to `balance`, which is read on its own; any difference is a fault. */
export const BalanceExplained = Type.Object({
  account: Type.String(),
  from: PointInTime,
  at: PointInTime,
  opening: Amount,
  terms: Type.Array(
    Type.Object({
      type: Type.String({ description: 'Type of the events' }),
      game: nullableText('Id of the game; null for a player, and without one'),
      credit: Type.Boolean(),
      events: Type.Integer(),
      amount: Amount,
      filter: FilterAnswer,
    }),
  ),
  balance: Amount,
  adds_up: Type.Boolean({ description: 'false is a fault' }),
  since: nullableInteger('Position of the last event that changed it; null without one'),
});
export type BalanceExplained = Static<typeof BalanceExplained>;

/** Newest first, with the balance after each. */
export const AccountMovements = Type.Object({
  account: Type.String(),
  lines: Type.Array(
    Type.Object({
      position: Position,
      time: Time,
      type: Type.String(),
      ...sentenceFields,
      player: nullableText('Wallet of the player whose stream it is in'),
      amount: Amount,
      after: Amount,
    }),
  ),
  next: nullableInteger('`before` of the next older page; null on the last page'),
});
export type AccountMovements = Static<typeof AccountMovements>;

const call = adminTopic('point in time');

export const pointInTimeRoutes = {
  pointInTime: call('GET', '/moment', 'viewer', {
    summary: 'Resolve a point in time, and get the available range',
    query: AtQuery,
    data: PointInTimeAnswer,
  }),
  stateAt: call('GET', '/state', 'viewer', {
    summary: 'Get the state of a stream at a point in time',
    query: closed({ stream, at: At }),
    data: StateAt,
  }),
  stateDiff: call('GET', '/state/diff', 'viewer', {
    summary: 'Compare the state of a stream at two points in time',
    query: closed({ stream, ...between }),
    data: StateDiff,
  }),
  explainBalance: call('GET', '/balance/explanation', 'viewer', {
    summary: 'Explain a balance: opening, each kind of credit and debit, balance',
    query: closed({
      account,
      asset: oneOf(ASSETS),
      from: QueryText('The opening: position or ISO 8601 time; default: before the first event'),
      at: At,
    }),
    data: BalanceExplained,
  }),
  accountMovements: call('GET', '/balance/movements', 'viewer', {
    summary: 'List the events that moved an account, with the balance after each, newest first',
    query: closed({
      account,
      asset: oneOf(ASSETS),
      before: Cursor('`next` of the previous page'),
      limit: Limit(50),
    }),
    data: AccountMovements,
  }),
  trialBalance: call('GET', '/trial-balance', 'viewer', {
    summary: 'Get the trial balance at a point in time',
    query: AtQuery,
    data: TrialBalance,
  }),
  trialDiff: call('GET', '/trial-balance/diff', 'viewer', {
    summary: 'Compare the trial balance at two points in time',
    query: closed(between),
    data: TrialDiff,
  }),
};
