import { PERIODS } from '@reelbook/ledger/calendar';
import {
  REALITY_CHECK_MAX_MINUTES,
  REALITY_CHECK_MIN_MINUTES,
} from '@reelbook/ledger/player/protection';
import { EXCLUSION_TERMS, LIMIT_KINDS } from '@reelbook/ledger/player/protection-events';
import { type Static, Type } from 'typebox';
import {
  closed,
  named,
  nullableInteger,
  nullableNumber,
  nullableText,
  oneOf,
  Position,
  Time,
} from '../common.ts';
import { playerTopic } from '../route.ts';

const limit = oneOf(
  LIMIT_KINDS,
  'deposit: BSM deposited; loss: points staked minus won; wager: points staked',
);

const period = oneOf(PERIODS, 'Calendar period in UTC; weeks begin on Monday');

export const LimitBody = closed({
  limit,
  period,
  amount: nullableNumber(
    'BSM for deposit, else points; null removes the limit. Lower: effective immediately; higher: after 24 hours',
  ),
});
export type LimitBody = Static<typeof LimitBody>;

export const LimitChangeBody = closed({ limit, period });
export type LimitChangeBody = Static<typeof LimitChangeBody>;

export const ExclusionBody = closed({
  term: oneOf(EXCLUSION_TERMS, 'Duration from now; it can be extended later, but not shortened'),
});
export type ExclusionBody = Static<typeof ExclusionBody>;

export const RealityCheckBody = closed({
  interval_minutes: nullableInteger(
    `Minutes of a session between two checks, ${REALITY_CHECK_MIN_MINUTES} to ${REALITY_CHECK_MAX_MINUTES}; null for none`,
  ),
});
export type RealityCheckBody = Static<typeof RealityCheckBody>;

const nullableObject = <T>(fields: Record<string, unknown>, description: string) =>
  Type.Unsafe<T | null>({
    type: ['object', 'null'],
    properties: fields,
    required: Object.keys(fields),
    description,
  });

const LimitState = named('LimitState', {
  limit,
  period,
  amount: Type.Number({ description: 'BSM for deposit, else points' }),
  used: Type.Number({
    description: 'Used in this period, also before the limit was set; negative after winning',
  }),
  left: Type.Number({ description: 'Remaining amount; never negative' }),
  resets_at: Time,
  pending: nullableObject<{ readonly amount: number | null; readonly holds_from: string }>(
    {
      amount: nullableNumber('null removes the limit'),
      holds_from: Time,
    },
    'Pending change; it can be cancelled until holds_from',
  ),
});
export type LimitState = Static<typeof LimitState>;

/** All values as of `time`, by the clock of the ledger. */
export const Protection = named('Protection', {
  time: Time,
  limits: Type.Array(LimitState, { description: 'Limits that are set; the strictest one applies' }),
  exclusion: nullableObject<{ readonly until: string | null }>(
    { until: nullableText('null: permanently') },
    'While it lasts, bets, games, purchases of points and deposit intents are refused',
  ),
  suspended: Type.Boolean({
    description: 'true: an operator suspended the player, with the same refusals, without an end',
  }),
  reality_check: Type.Object({
    interval_minutes: nullableNumber('null: none'),
    chosen_by: oneOf(['player', 'site'], 'site: default of the site, until the player chooses'),
    due: Type.Boolean({ description: 'true: bets are refused until it is acknowledged' }),
    next_at: nullableText('Time of the next check; null outside a session or without an interval'),
  }),
  session: nullableObject<{
    readonly began_at: string;
    readonly ends_at: string;
    readonly elapsed_seconds: number;
    readonly staked: number;
    readonly won: number;
    readonly net: number;
  }>(
    {
      began_at: Time,
      ends_at: Time,
      elapsed_seconds: Type.Integer(),
      staked: Type.Number(),
      won: Type.Number({ description: 'Payouts, and stakes of voided rounds' }),
      net: Type.Number({ description: 'Won minus staked' }),
    },
    'Amounts in points since its first stake; it ends at ends_at, 15 minutes after the latest one',
  ),
  stream_version: Type.Integer(),
  position: Position,
});
export type Protection = Static<typeof Protection>;

const call = playerTopic('protection');

export const protectionRoutes = {
  protection: call('GET', '/user/protection', 'player', {
    summary: 'Get the limits, exclusion, reality check and session of the player',
    data: Protection,
  }),
  setLimit: call('PUT', '/user/protection/limits', 'player', {
    summary: 'Set or remove a limit; lower: effective immediately, higher: after 24 hours',
    body: LimitBody,
    data: Protection,
  }),
  cancelLimitChange: call('POST', '/user/protection/limits/cancel', 'player', {
    summary: 'Cancel the pending change of a limit',
    body: LimitChangeBody,
    data: Protection,
  }),
  excludeSelf: call('POST', '/user/protection/exclusion', 'player', {
    summary: 'Exclude yourself from play immediately; withdrawals stay possible',
    body: ExclusionBody,
    data: Protection,
  }),
  setRealityCheck: call('PUT', '/user/protection/reality-check', 'player', {
    summary: 'Set the interval of the reality check',
    body: RealityCheckBody,
    data: Protection,
  }),
  acknowledgeRealityCheck: call('POST', '/user/protection/reality-check/acknowledge', 'player', {
    summary: 'Acknowledge the due reality check',
    data: Protection,
  }),
};
