import { PERIODS } from '@reelbook/ledger/calendar';
import {
  REALITY_CHECK_MAX_MINUTES,
  REALITY_CHECK_MIN_MINUTES,
} from '@reelbook/ledger/player/protection';
import { EXCLUSION_TERMS } from '@reelbook/ledger/player/protection-commands';
import { LIMIT_KINDS } from '@reelbook/ledger/player/protection-events';
import { type Static, Type } from 'typebox';
import {
  closed,
  nullableInteger,
  nullableNumber,
  nullableText,
  oneOf,
  Position,
  Time,
} from '../common.ts';
import { playerTopic } from '../route.ts';

const limit = oneOf(LIMIT_KINDS, 'BSM deposited, points lost (staked less won), points staked');

const period = oneOf(PERIODS, 'Of the calendar in UTC; weeks begin on Monday');

export const LimitBody = closed({
  limit,
  period,
  amount: nullableNumber(
    'BSM for deposit, else points; null removes the limit. Less holds at once, more after 24 hours',
  ),
});
export type LimitBody = Static<typeof LimitBody>;

export const LimitChangeBody = closed({ limit, period });
export type LimitChangeBody = Static<typeof LimitChangeBody>;

export const ExclusionBody = closed({
  term: oneOf(EXCLUSION_TERMS, 'From now on; it can be made longer later, never shorter'),
});
export type ExclusionBody = Static<typeof ExclusionBody>;

export const RealityCheckBody = closed({
  interval_minutes: nullableInteger(
    `Every so many minutes of a session, ${REALITY_CHECK_MIN_MINUTES} to ${REALITY_CHECK_MAX_MINUTES}; null for none`,
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

const LimitState = Type.Object({
  limit,
  period,
  amount: Type.Number(),
  used: Type.Number({
    description: 'In this period, since the limit was set; below 0 after winning',
  }),
  left: Type.Number({ description: 'What may still be deposited, lost or staked; never below 0' }),
  resets_at: Time,
  pending: nullableObject<{ readonly amount: number | null; readonly holds_from: string }>(
    {
      amount: nullableNumber('null removes the limit'),
      holds_from: Time,
    },
    'A change that waits; it can be cancelled until then',
  ),
});
export type LimitState = Static<typeof LimitState>;

/** All figures as of `time`, by the clock of the ledger. */
export const Protection = Type.Object({
  time: Time,
  limits: Type.Array(LimitState, { description: 'The limits that are set; the tightest decides' }),
  exclusion: nullableObject<{ readonly until: string | null }>(
    { until: nullableText('null: for good') },
    'While it lasts no bet, no game, no purchase of points and no intent to deposit is taken',
  ),
  reality_check: Type.Object({
    interval_minutes: nullableNumber('null: none'),
    chosen_by: oneOf(['player', 'site'], 'The default of the site holds until the player chooses'),
    due: Type.Boolean({ description: 'The next bet is refused until it is acknowledged' }),
    next_at: nullableText('When it is due; null outside a session or without an interval'),
  }),
  session: nullableObject<{
    readonly began_at: string;
    readonly elapsed_seconds: number;
    readonly staked: number;
    readonly won: number;
    readonly net: number;
  }>(
    {
      began_at: Time,
      elapsed_seconds: Type.Integer(),
      staked: Type.Number(),
      won: Type.Number(),
      net: Type.Number({ description: 'Won less staked' }),
    },
    'From its first stake on, in points; 15 minutes without a stake end it',
  ),
  stream_version: Type.Integer(),
  position: Position,
});
export type Protection = Static<typeof Protection>;

const call = playerTopic('protection');

export const protectionRoutes = {
  protection: call('GET', '/user/protection', 'player', {
    summary: 'Limits, exclusion, reality check and the session as of now',
    data: Protection,
  }),
  setLimit: call('PUT', '/user/protection/limits', 'player', {
    summary: 'Set or remove a limit: tighter at once, looser after 24 hours',
    body: LimitBody,
    data: Protection,
  }),
  cancelLimitChange: call('POST', '/user/protection/limits/cancel', 'player', {
    summary: 'Drop the change of a limit that waits',
    body: LimitChangeBody,
    data: Protection,
  }),
  excludeSelf: call('POST', '/user/protection/exclusion', 'player', {
    summary: 'Exclude yourself from play, at once; withdrawal stays open',
    body: ExclusionBody,
    data: Protection,
  }),
  setRealityCheck: call('PUT', '/user/protection/reality-check', 'player', {
    summary: 'Choose how often play stops to tell time and result',
    body: RealityCheckBody,
    data: Protection,
  }),
  acknowledgeRealityCheck: call('POST', '/user/protection/reality-check/acknowledge', 'player', {
    summary: 'Acknowledge the reality check that is due',
    data: Protection,
  }),
};
