import { type Static, Type } from 'typebox';
import { closed, nullable, nullableInteger, Position, Time } from '../common.ts';
import { adminTopic } from '../route.ts';
import { Amount, At, Cursor, FilterAnswer, Limit, PlayerRef, QueryText } from './common.ts';

/** One term of a sum, signed, and the query of `explorer` that lists its events; null if they are not in the ledger. */
const Term = Type.Object({ name: Type.String(), amount: Amount, filter: nullable(FilterAnswer) });

/** Assets and liabilities in BSM, as of one position. */
export const Solvency = Type.Object({
  position: Type.Integer({ description: 'Last position included; `queues` are always current' }),
  reached: Type.Integer({
    description: 'Last position that the projections of these figures have applied',
  }),
  margin_terms: Type.Array(Term, { description: 'Assets less liabilities; they sum to `margin`' }),
  own_terms: Type.Array(Term, { description: "The house's own funds; they sum to `margin`" }),
  points_value: Type.Object({
    amount: Amount, // `points_held` at the rate
    numerator: Type.Integer(),
    denominator: Type.Integer(),
    margin_after: Amount,
  }),
  solvent: Type.Boolean({ description: 'true if `margin` is not negative' }),
  players: Amount,
  held: Amount,
  unmatched: Amount,
  liabilities: Amount,
  fees: Amount,
  house: Amount,
  chain: Amount,
  on_chain: nullable(Amount),
  slot: nullableInteger('Slot at which `on_chain` was last observed'),
  hot_wallet_max: Type.Optional(
    nullable(Amount), // the most that the treasury should hold; null: no cap
  ),
  over_cap: Type.Optional(nullable(Amount)),
  single_provider: Type.Optional(
    Type.Boolean({ description: 'true if the RPC URLs of the console are of one provider' }),
  ),
  in_flight: Amount,
  margin: Amount,
  points_held: Amount,
  queues: Type.Object({
    requested: Type.Integer(),
    approved: Type.Integer(),
    signed: Type.Integer(),
    on_hold: Type.Integer({ description: 'Approved, and not paid for a reason' }),
    oldest_withdrawal_s: Type.Integer(),
    pending_reports: Type.Integer(),
    unmatched: Type.Integer(),
    unrecorded: Type.Integer(),
  }),
});
export type Solvency = Static<typeof Solvency>;

const DAYS_MAX = 400;

const interval = {
  from: QueryText(`First day, YYYY-MM-DD in UTC; an interval has at most ${DAYS_MAX} days`),
  to: QueryText('Last day, YYYY-MM-DD in UTC, inclusive; default: today'),
};

const IntervalQuery = closed(interval);

const counts = {
  rounds: Type.Integer({ description: 'Settled rounds, without voided ones' }),
  staked: Amount,
  paid: Amount,
  voided: Type.Integer(),
  /** Gross gaming revenue: staked minus paid. */
  ggr: Amount,
};

export const Revenue = Type.Object({
  from: Type.String(),
  to: Type.String(),
  reached: Type.Integer(),
  rows: Type.Array(Type.Object({ day: Type.String(), game: Type.String(), ...counts }), {
    description: 'One row per day and game with activity, by day and game',
  }),
  total: Type.Object(counts),
});
export type Revenue = Static<typeof Revenue>;

/** Actual and theoretical return, as fractions of 1. The band is two-sided, from the exact mean and variance of these stakes. */
export const ReturnRow = Type.Object({
  game: Type.String(),
  title: Type.String(),
  rules: Type.String(),
  ...counts,
  actual: nullable(Type.Number()),
  theoretical: nullable(Type.Number({ description: 'For these stakes; null without a round' })),
  published: Type.Object({
    numerator: Type.String(),
    denominator: Type.String(),
  }),
  low: nullable(Type.Number()),
  high: nullable(Type.Number()),
  sigmas: nullable(
    Type.Number({
      description: 'Deviation of actual from theoretical, in standard deviations, signed',
    }),
  ),
  inside: nullable(Type.Boolean()),
});
export type ReturnRow = Static<typeof ReturnRow>;

export const Returns = Type.Object({
  from: Type.String(),
  to: Type.String(),
  reached: Type.Integer(),
  confidence: Type.Number({ description: 'Confidence of the band: 0.999' }),
  rows: Type.Array(ReturnRow),
});
export type Returns = Static<typeof Returns>;

const call = adminTopic('finance');

export const financeRoutes = {
  solvency: call('GET', '/house/solvency', 'viewer', {
    summary: 'Get assets, liabilities and the margin, in BSM',
    query: closed({ at: At }),
    data: Solvency,
  }),
  revenue: call('GET', '/house/revenue', 'viewer', {
    summary: 'Get the gross gaming revenue by day and game',
    query: closed({ ...interval, game: QueryText('Id of a game; default: all') }),
    data: Revenue,
  }),
  returns: call('GET', '/house/returns', 'viewer', {
    summary: 'Get the actual and theoretical return of each game, with its 99.9 % band',
    query: IntervalQuery,
    data: Returns,
  }),
  largeWins: call('GET', '/house/large-wins', 'viewer', {
    summary: 'List large wins, newest first',
    query: closed({
      ...interval,
      min_minor: QueryText('Minimum payout in hundredths of points; default 100000'),
      before: Cursor('`next` of the previous page'),
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
};
