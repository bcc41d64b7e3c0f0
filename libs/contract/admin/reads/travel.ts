import { type Static, Type } from 'typebox';
import { Change } from './event.ts';
import {
  Amount,
  ASSETS,
  At,
  Json,
  Limit,
  Moment,
  nullableInteger,
  nullableText,
  oneOf,
  PLAIN,
  QueryText,
} from './parts.ts';

export const AtQuery = Type.Object({ at: At }, { additionalProperties: false });

/** Where one can travel to, and what moment `at` is. */
export const MomentAnswer = Type.Object({
  at: Moment,
  first: Moment,
  head: Moment,
});
export type MomentAnswer = Static<typeof MomentAnswer>;

const stream = Type.String({
  pattern: PLAIN,
  minLength: 1,
  maxLength: 60,
  description: 'A wallet, or the name of a stream: config, treasury, seals, player-<wallet>',
});

export const StateQuery = Type.Object({ stream, at: At }, { additionalProperties: false });

const StreamState = Type.Object({
  at: Moment,
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

export const StateDiffQuery = Type.Object({ stream, ...between }, { additionalProperties: false });

export const StateDiff = Type.Object({
  stream: Type.String(),
  from: StreamState,
  to: StreamState,
  changes: Type.Array(Change),
});
export type StateDiff = Static<typeof StateDiff>;

export const BalanceQuery = Type.Object(
  {
    account: Type.String({
      pattern: PLAIN,
      minLength: 1,
      maxLength: 60,
      description: 'player:<wallet>, house, fees, withdrawals, unmatched or chain',
    }),
    asset: oneOf(ASSETS),
    at: At,
  },
  { additionalProperties: false },
);

export const BalanceAt = Type.Object({
  account: Type.String(),
  at: Moment,
  balance: Amount,
  since: nullableInteger('Position of the event that left it there; null: it was never moved'),
});
export type BalanceAt = Static<typeof BalanceAt>;

const Line = Type.Object({ line: Type.String(), balance: Amount });

/** Positive: the account is owed. Per asset the lines sum to zero, or `sums` shows the fault. */
export const TrialBalance = Type.Object({
  at: Moment,
  lines: Type.Array(Line),
  sums: Type.Array(Amount),
});
export type TrialBalance = Static<typeof TrialBalance>;

export const TrialDiffQuery = Type.Object(between, { additionalProperties: false });

export const TrialDiff = Type.Object({
  from: Moment,
  to: Moment,
  lines: Type.Array(
    Type.Object({ line: Type.String(), before: Amount, after: Amount, change: Amount }),
  ),
});
export type TrialDiff = Static<typeof TrialDiff>;

export const AccountsQuery = Type.Object(
  {
    at: At,
    after: QueryText('`next` of the page before'),
    limit: Limit(50),
  },
  { additionalProperties: false },
);

/** Every account that was ever moved, with what it held then, by name. */
export const AccountsAt = Type.Object({
  at: Moment,
  accounts: Type.Array(
    Type.Object({
      account: Type.String(),
      balance: Amount,
      since: Type.Integer(),
    }),
  ),
  next: nullableText('`after` of the next page; null: there is none'),
});
export type AccountsAt = Static<typeof AccountsAt>;
