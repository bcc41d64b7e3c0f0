import { type Static, Type } from 'typebox';
import { closed, Empty, nullable, nullableInteger, nullableText, oneOf } from '../common.ts';
import { adminTopic } from '../route.ts';
import { Hash, PointInTime } from './common.ts';

/** `fine`, `behind` (late, and going on), `stopped` (needs a person) or `unknown` (not looked at from here). */
const CONDITIONS = ['fine', 'behind', 'stopped', 'unknown'] as const;

const Follower = Type.Object({
  name: Type.String(),
  version: Type.Integer(),
  kind: oneOf(['projection', 'publisher', 'other']),
  condition: oneOf(CONDITIONS),
  position: Type.Integer(),
  behind_positions: Type.Integer(),
  behind_s: Type.Number({ description: 'Age of the oldest event that it has not applied' }),
  stopped: nullableText('Why, in words and with the position'),
  stopped_at: nullableInteger('The event that it stopped at'),
  holder: nullableText('Which process moves it; null: none'),
  updated_at: nullableText(),
});

const Part = Type.Object({
  name: Type.String(),
  condition: oneOf(CONDITIONS),
  detail: Type.String(),
});

export const Engine = Type.Object({
  time: Type.String(),
  head: Type.Object({
    ...PointInTime.properties,
    hash: Hash,
    age_s: nullable(Type.Number({ description: 'Since the last event' })),
    moves: Type.Boolean({ description: 'It moved within the last minute' }),
    accepts: Type.Boolean({ description: 'Its row can be locked: appends are not held up' }),
  }),
  rates: Type.Object({
    events_per_s: Type.Number({ description: 'Over the last minute' }),
    bets_per_s: Type.Number(),
    window_s: Type.Number(),
  }),
  followers: Type.Array(Follower),
  cashier: Type.Object({
    condition: oneOf(CONDITIONS),
    reached_slot: nullableInteger('Of the scan of the treasury'),
    seen_slot: nullableInteger('At which the treasury was last observed in the ledger'),
    unrecorded: Type.Integer(),
    unrecorded_s: Type.Number({ description: 'Age of the oldest movement that is not booked' }),
    pending_reports: Type.Integer(),
    detail: Type.String(),
  }),
  seals: Type.Object({
    count: Type.Integer(),
    to: Type.Integer(),
    behind_positions: Type.Integer(),
    last_at: nullableText(),
  }),
  parts: Type.Array(Part, { description: 'Postgres, NATS, the chain' }),
});
export type Engine = Static<typeof Engine>;

export const WorkReasonBody = closed({ reason: Type.String({ minLength: 1, maxLength: 200 }) });
export type WorkReasonBody = Static<typeof WorkReasonBody>;

const call = adminTopic('engine room');

export const engineRoutes = {
  engine: call('GET', '/engine', 'viewer', { summary: 'How everything runs', data: Engine }),
  continueFollower: call('POST', '/engine/followers/:name/continue', 'operator', {
    summary: 'Let a read model that stopped go on from where it stopped',
    params: Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z-]{0,60}$' }),
    }),
    body: WorkReasonBody,
    data: Empty,
  }),
};
