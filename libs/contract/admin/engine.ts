import { type Static, Type } from 'typebox';
import { closed, Empty, nullable, nullableInteger, nullableText, oneOf } from '../common.ts';
import { adminTopic } from '../route.ts';
import { Hash, PointInTime } from './common.ts';

/** `behind`: late but running. `stopped`: needs an operator. `unknown`: not observable from this process. */
const CONDITIONS = ['fine', 'behind', 'stopped', 'unknown'] as const;

const Follower = Type.Object({
  name: Type.String(),
  version: Type.Integer(),
  kind: oneOf(['projection', 'publisher', 'other']),
  condition: oneOf(CONDITIONS),
  position: Type.Integer(),
  behind_positions: Type.Integer({ description: 'Events not applied yet' }),
  behind_s: Type.Number({ description: 'Age of the oldest event not applied yet, in seconds' }),
  stopped: nullableText('Why it stopped, with the position; null while it runs'),
  stopped_at: nullableInteger('Position of the event that it stopped at'),
  holder: nullableText('Process that runs it; null if none does'),
  updated_at: nullableText(),
});

const Part = Type.Object({
  name: oneOf(['postgres', 'nats', 'chain']),
  condition: oneOf(CONDITIONS),
});

export const Engine = Type.Object({
  time: Type.String(),
  head: Type.Object({
    ...PointInTime.properties,
    hash: Hash,
    age_s: nullable(Type.Number({ description: 'Seconds since the last event' })),
    moves: Type.Boolean({ description: 'true if an event was appended within the last minute' }),
    accepts: Type.Boolean({
      description: 'true if the head row can be locked: appends are not blocked',
    }),
  }),
  rates: Type.Object({
    events_per_s: Type.Number({ description: 'Average over the last minute' }),
    bets_per_s: Type.Number(),
    window_s: Type.Number(),
  }),
  followers: Type.Array(Follower),
  cashier: Type.Object({
    condition: oneOf(CONDITIONS),
    reached_slot: nullableInteger('Slot that the scan of the treasury has reached'),
    seen_slot: nullableInteger('Slot of the last recorded observation of the treasury'),
    unrecorded: Type.Integer({
      description: 'Transfers on the chain that are not in the ledger yet',
    }),
    unrecorded_s: Type.Number({ description: 'Age of the oldest unrecorded transfer, in seconds' }),
    pending_reports: Type.Integer(),
  }),
  seals: Type.Object({
    count: Type.Integer(),
    to: Type.Integer({ description: 'Last sealed position' }),
    behind_positions: Type.Integer(),
    last_at: nullableText(),
    anchored_to: nullableInteger('Last seal anchored on the chain; null: none'),
    anchored_at: nullableText(),
  }),
  parts: Type.Array(Part),
  response_ms: Type.Number({ description: 'Time that Postgres took for this response' }),
});
export type Engine = Static<typeof Engine>;

export const JobReasonBody = closed({ reason: Type.String({ minLength: 1, maxLength: 200 }) });
export type JobReasonBody = Static<typeof JobReasonBody>;

const call = adminTopic('system status');

export const engineRoutes = {
  engine: call('GET', '/engine', 'viewer', {
    summary: 'Get the status of every component',
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
