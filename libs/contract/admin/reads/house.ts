import { type Static, Type } from 'typebox';
import {
  Amount,
  Cursor,
  Limit,
  nullable,
  nullableInteger,
  nullableText,
  PlayerRef,
  Position,
  QueryText,
  sentenceFields,
  Time,
} from './parts.ts';

/** What is there and what is owed, in BSM, as of one moment. */
export const Solvency = Type.Object({
  position: Type.Integer(),
  reached: Type.Integer({ description: 'How far the read models behind these figures have come' }),
  solvent: Type.Boolean({ description: 'The margin is not below zero' }),
  players: Amount,
  held: Amount,
  unmatched: Amount,
  liabilities: Amount,
  fees: Amount,
  house: Amount,
  chain: Amount,
  on_chain: nullable(Amount),
  slot: nullableInteger('At which it was last seen'),
  hot_wallet_max: Type.Optional(
    nullable(Amount), // what the treasury should hold at most; null: no cap
  ),
  over_cap: Type.Optional(nullable(Amount)),
  in_flight: Amount,
  margin: Amount,
  points_held: Amount,
  queues: Type.Object({
    requested: Type.Integer(),
    approved: Type.Integer(),
    signed: Type.Integer(),
    on_hold: Type.Integer(),
    oldest_withdrawal_s: Type.Integer(),
    pending_reports: Type.Integer(),
    unmatched: Type.Integer(),
    unsettled: Type.Integer(),
  }),
});
export type Solvency = Static<typeof Solvency>;

const DAYS_MAX = 400;

const interval = {
  from: QueryText(`A day, YYYY-MM-DD in UTC, included; at most ${DAYS_MAX} days`),
  to: QueryText('A day, included; today without'),
};
export const IntervalQuery = Type.Object(interval, { additionalProperties: false });
export type IntervalQuery = Static<typeof IntervalQuery>;

export const RevenueQuery = Type.Object(
  { ...interval, game: QueryText('One game') },
  { additionalProperties: false },
);

const counts = {
  rounds: Type.Integer({ description: 'Settled; not those that were voided' }),
  staked: Amount,
  paid: Amount,
  voided: Type.Integer(),
  /** Gross gaming revenue: staked less paid. */
  ggr: Amount,
};

export const Revenue = Type.Object({
  from: Type.String(),
  to: Type.String(),
  reached: Type.Integer(),
  rows: Type.Array(Type.Object({ day: Type.String(), game: Type.String(), ...counts }), {
    description: 'Days and games with anything in them, by day and game',
  }),
  total: Type.Object(counts),
});
export type Revenue = Static<typeof Revenue>;

/** Actual beside theoretical. Band: exact mean and variance of these very stakes, two-sided. Figures are shares of 1. */
export const ReturnRow = Type.Object({
  game: Type.String(),
  title: Type.String(),
  rules: Type.String(),
  ...counts,
  actual: nullable(Type.Number()),
  theoretical: nullable(Type.Number({ description: 'For these very stakes; null: no round' })),
  published: Type.Object({
    numerator: Type.String(),
    denominator: Type.String(),
  }),
  low: nullable(Type.Number()),
  high: nullable(Type.Number()),
  sigmas: nullable(Type.Number({ description: 'How far actual is from theoretical, signed' })),
  inside: nullable(Type.Boolean()),
});
export type ReturnRow = Static<typeof ReturnRow>;

export const Returns = Type.Object({
  from: Type.String(),
  to: Type.String(),
  reached: Type.Integer(),
  confidence: Type.Number({ description: 'Of the band: 0.999' }),
  rows: Type.Array(ReturnRow),
});
export type Returns = Static<typeof Returns>;

export const LargeWinsQuery = Type.Object(
  {
    ...interval,
    min_minor: QueryText('At least so many hundredths of points; 100000 without'),
    before: Cursor('`next` of the page before'),
    limit: Limit(50),
  },
  { additionalProperties: false },
);

export const LargeWins = Type.Object({
  wins: Type.Array(
    Type.Object({
      position: Position,
      time: Time,
      player: PlayerRef,
      game: Type.String(),
      round: Type.String(),
      payout: Amount,
    }),
  ),
  next: nullableInteger(),
});
export type LargeWins = Static<typeof LargeWins>;

const header = {
  title: Type.String(),
  from: Type.String(),
  to: Type.String(),
  operator: Type.String({ description: 'Wallet of who asked for it' }),
  generated_at: Time,
  position: Type.Integer({ description: 'Everything up to here is in it' }),
  head_hash: Type.String(),
  no_activity: Type.Boolean({ description: 'Show "No activity"' }),
};

export const GamePerformance = Type.Object({
  ...header,
  rows: Type.Array(
    Type.Object({
      ...ReturnRow.properties,
      status: Type.String({ description: 'enabled, disabled, or retired: rules not in use' }),
      since: nullableText('The first day with a round of it'),
      open_rounds: Type.Integer(),
      open_stakes: Amount,
    }),
  ),
});
export type GamePerformance = Static<typeof GamePerformance>;

/** What each line of the trial balance means to who reads a report, in English. */
export const LINES: Readonly<Record<string, string>> = {
  players: 'Held for players',
  withdrawals: 'Withdrawals asked for and not paid',
  unmatched: "Arrived and nobody's yet",
  fees: 'Fees of withdrawals',
  house: 'The house',
  chain: 'The chain: came less went',
};

/** What is owed at the end of the interval, beside its beginning. */
export const Liabilities = Type.Object({
  ...header,
  rows: Type.Array(
    Type.Object({
      line: Type.String(),
      what: Type.String(),
      opening: Amount,
      closing: Amount,
      change: Amount,
    }),
  ),
  on_chain: nullable(Amount),
  margin: Amount,
});
export type Liabilities = Static<typeof Liabilities>;

export const SIGNIFICANT_ROWS_MAX = 1_000;

/** What was changed or decided by people, and what went wrong. */
export const SignificantEvents = Type.Object({
  ...header,
  rows: Type.Array(
    Type.Object({
      position: Position,
      time: Time,
      ...sentenceFields,
      type: Type.String(),
      actor: Type.String(),
      subject: nullableText('Player, withdrawal or game that it is about'),
      reason: nullableText(),
      before: nullableText(),
      after: nullableText(),
      amounts: Type.Array(Amount),
    }),
  ),
  truncated: Type.Boolean({ description: `There are more than ${SIGNIFICANT_ROWS_MAX}` }),
});
export type SignificantEvents = Static<typeof SignificantEvents>;
