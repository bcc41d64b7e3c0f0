import { type Static, Type } from 'typebox';
import { closed, nullable, nullableInteger, nullableText, Position, Time } from '../common.ts';
import { adminTopic } from '../route.ts';
import { Amount, Cursor, Limit, PlayerRef, QueryText, sentenceFields } from './common.ts';

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
    unrecorded: Type.Integer(),
  }),
});
export type Solvency = Static<typeof Solvency>;

const DAYS_MAX = 400;

const interval = {
  from: QueryText(`A day, YYYY-MM-DD in UTC, included; at most ${DAYS_MAX} days`),
  to: QueryText('A day, included; today without'),
};

const IntervalQuery = closed(interval);

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

/** What is owed at the end of the interval, beside its beginning. */
const Liabilities = Type.Object({
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

const call = adminTopic('house');

export const financeRoutes = {
  solvency: call('GET', '/house/solvency', 'viewer', {
    summary: 'What is there and what is owed',
    data: Solvency,
  }),
  revenue: call('GET', '/house/revenue', 'viewer', {
    summary: 'Gross gaming revenue by day and game',
    query: closed({ ...interval, game: QueryText('One game') }),
    data: Revenue,
  }),
  returns: call('GET', '/house/returns', 'viewer', {
    summary: 'Actual return beside the theoretical one, in its exact band',
    query: IntervalQuery,
    data: Returns,
  }),
  largeWins: call('GET', '/house/large-wins', 'viewer', {
    summary: 'Large wins, newest first',
    query: closed({
      ...interval,
      min_minor: QueryText('At least so many hundredths of points; 100000 without'),
      before: Cursor('`next` of the page before'),
      limit: Limit(50),
    }),
    data: Type.Object({
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
    }),
  }),
  gamePerformance: call('GET', '/reports/game-performance', 'viewer', {
    summary: 'Report: game performance',
    query: IntervalQuery,
    data: Type.Object({
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
    }),
  }),
  liabilities: call('GET', '/reports/liabilities', 'viewer', {
    summary: 'Report: liabilities',
    query: IntervalQuery,
    data: Liabilities,
  }),
  significantEvents: call('GET', '/reports/significant-events', 'viewer', {
    summary: 'Report: significant events and alterations',
    query: IntervalQuery,
    data: SignificantEvents,
  }),
};
