import { type Static, Type } from 'typebox';
import { closed, Empty, nullable, nullableInteger, nullableText, oneOf } from '../common.ts';
import { adminTopic } from '../route.ts';
import { PointInTime } from './common.ts';

/** `behind`: late but running. `stopped`: needs an operator. `unknown`: not observable from this process. */
const CONDITIONS = ['fine', 'behind', 'stopped', 'unknown'] as const;

const Follower = Type.Object({
  name: Type.String(),
  condition: oneOf(CONDITIONS),
  position: Type.Integer(),
  behind_positions: Type.Integer({ description: 'Events not applied yet' }),
  behind_s: Type.Number({ description: 'Age of the oldest event not applied yet, in seconds' }),
  stopped: nullableText('Why it stopped, with the position; null while it runs'),
  stopped_at: nullableInteger('Position of the event that it stopped at'),
});

export const Engine = Type.Object({
  time: Type.String(),
  head: Type.Object({
    ...PointInTime.properties,
    age_s: nullable(Type.Number({ description: 'Seconds since the last event' })),
    accepts: Type.Boolean({
      description: 'true if the head row can be locked: appends are not blocked',
    }),
  }),
  events_per_s: Type.Number({ description: 'Average over the last minute' }),
  followers: Type.Array(Follower, { description: 'The publisher and the projections' }),
  cashier: oneOf(CONDITIONS),
  bus: Type.Boolean({ description: 'false without a connection to NATS' }),
  seals: Type.Object({
    to: Type.Integer({ description: 'Last sealed position; 0: none' }),
    last_at: nullableText(),
    anchored_to: nullableInteger('Last seal anchored on the chain; null: none'),
    anchored_at: nullableText(),
  }),
});
export type Engine = Static<typeof Engine>;

export const JobReasonBody = closed({ reason: Type.String({ minLength: 1, maxLength: 200 }) });
export type JobReasonBody = Static<typeof JobReasonBody>;

const call = adminTopic('system status');

export const engineRoutes = {
  engine: call('GET', '/engine', 'viewer', {
    summary: 'Get the faults of every component, the rate of events and the state of the proofs',
    data: Engine,
  }),
  continueFollower: call('POST', '/engine/followers/:name/continue', 'operator', {
    summary: 'Resume a stopped projection at the event where it stopped',
    params: Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z-]{0,60}$' }),
    }),
    body: JobReasonBody,
    data: Empty,
  }),
};
