import { type Static, Type } from 'typebox';
import {
  closed,
  Empty,
  KeyHeaders,
  NumberText,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  Position,
  Time,
} from '../common.ts';
import { adminTopic } from '../route.ts';
import { Amount, Limit, PointInTime, ReasonBody } from './common.ts';
import { filterFields } from './events.ts';

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

const JobReasonBody = closed({ reason: Type.String({ minLength: 1, maxLength: 200 }) });

const engineCall = adminTopic('system status');

export const engineRoutes = {
  engine: engineCall('GET', '/engine', 'viewer', {
    summary: 'Get the faults of every component, the rate of events and the state of the proofs',
    data: Engine,
  }),
  continueFollower: engineCall('POST', '/engine/followers/:name/continue', 'operator', {
    summary: 'Resume a stopped projection at the event where it stopped',
    params: Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z-]{0,60}$' }),
    }),
    body: JobReasonBody,
    data: Empty,
  }),
};

const JOB_KINDS = ['audit', 'continue', 'export'] as const;

/** `lost`: its process ended without a result. */
const JOB_STATES = ['running', 'done', 'failed', 'cancelled', 'lost'] as const;

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, hex' });

const JobParams = Type.Object({ id: NumberText });

const Finding = Type.Object({
  check: Type.String(),
  position: nullableInteger('Position of the faulty event'),
  message: Type.String(),
});

const AuditResult = Type.Object({
  clean: Type.Boolean(),
  mode: oneOf(['public', 'operator']),
  events: Type.Integer(),
  streams: Type.Integer(),
  head_hash: Type.String(),
  rounds: Type.Object({
    checked: Type.Integer(),
    awaiting_reveal: Type.Integer(),
    open: Type.Integer(),
  }),
  voids: Type.Optional(
    Type.Array(
      Type.Object({
        by: Type.String({ description: 'Operator who voided the rounds' }),
        count: Type.Integer(),
        returned: Amount,
        would_have_paid: Amount,
        awaiting_reveal: Type.Integer({
          description: 'Rounds not included in the sum: their seed is not revealed',
        }),
      }),
      {
        description: 'Voided rounds and what they would have paid, one row per operator',
      },
    ),
  ),
  /** Amount of the treasury above its cap: a warning, not a finding. */
  treasury_over_cap: Type.Optional(nullable(Amount)),
  lucky: Type.Optional(
    Type.Array(
      Type.Object({
        player: Type.String(),
        rounds: Type.Integer(),
        one_in: Type.Integer({
          description: 'By chance at most one of so many players is as lucky; at most 10^15',
        }),
      }),
      { description: 'At most 100 players that won more than chance allows, luckiest first' },
    ),
  ),
  seals: Type.Object({ count: Type.Integer(), to: Type.Integer() }),
  /** The following fields are missing in jobs from before the comparison with the chain in both directions. */
  verdict: Type.Optional(oneOf(['CLEAN', 'UNPROVEN', 'FAULTY'])),
  unproven: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What could not be compared with the chain, and why',
    }),
  ),
  anchored: Type.Optional(
    Type.Object({
      count: Type.Integer(),
      to_seal: Type.Integer(),
      to: Type.Integer({ description: 'Last anchored position' }),
      newest_at: nullableText('When the newest anchor was recorded, ISO 8601'),
    }),
  ),
  chain: Type.Optional(
    Type.Object({
      has_chain: Type.Boolean(),
      transactions: Type.Integer({ description: 'Treasury transactions compared with the ledger' }),
      found: Type.Integer({ description: 'Ledger transfers found on the chain' }),
      older: Type.Integer({ description: 'Ledger transfers older than one audit searches' }),
    }),
  ),
  read_model_rows: nullableInteger('null in earlier jobs that did not compare projections'),
  findings: Type.Integer(),
  first: nullable(Finding),
  kept: Type.Array(Finding),
  groups: Type.Optional(
    Type.Array(
      Type.Object({
        cause: Finding,
        consequences: Type.Array(Finding),
        next: oneOf(['event', 'projections', 'state', 'solvency'], 'Where to go next'),
      }),
      { description: 'The findings of `kept`, grouped by probable cause' },
    ),
  ),
  trial_balance: Type.Array(Type.Object({ line: Type.String(), balance: Amount })),
});

/** What audits found and two operators have not accepted, oldest first. */
const Findings = Type.Array(
  Type.Object({
    finding: Digest,
    check: Type.String(),
    position: nullableInteger('Position of the event; null: a current state'),
    subject: Type.String({
      description: 'player:<wallet>; ledger or treasury: nothing at all is paid automatically',
    }),
    message: Type.String(),
    recorded_at: Time,
    recorded_in: Position,
    proposed_by: nullableText('Operator who accepted it; another one must accept it too'),
  }),
);

/** Contents and integrity data of an export; also the last line of a JSONL file. */
const Manifest = Type.Object({
  reelbook_export: Type.Integer({ description: 'Format version: 1' }),
  format: oneOf(['jsonl', 'csv']),
  filter: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
  }),
  from: Type.Integer({
    description: 'First position; the file contains every matching event in from..to',
  }),
  to: Type.Integer(),
  head: Type.Object({ position: Type.Integer(), hash: Type.String() }),
  count: Type.Integer(),
  contiguous: Type.Boolean({
    description: 'true if no event in from..to is omitted: the hash chain can be verified',
  }),
  sha256: Type.String({ description: 'SHA-256 of all bytes before the manifest, hex' }),
  made_at: Time,
  operator: Type.String(),
  signature: Type.Optional(
    Type.Object(
      {
        algorithm: oneOf(['ed25519']),
        public_key: Type.String(),
        value: Type.String(),
      },
      { description: 'Signed with the receipt key (GET /fairness/key); missing if unsigned' },
    ),
  ),
});

/** A background job. Only one audit runs at a time, across all processes. */
export const Job = Type.Object({
  id: Type.Integer(),
  kind: oneOf(JOB_KINDS),
  subject: nullableText('Name of the projection'),
  by: Type.String(),
  reason: nullableText(),
  state: oneOf(JOB_STATES),
  step: nullableText('Current step'),
  done: Type.Integer(),
  total: Type.Integer(),
  per_second: Type.Number({ description: 'Speed of the current step' }),
  started_at: Time,
  updated_at: Time,
  ended_at: nullableText(),
  error: nullableText('Why it failed'),
  audit: nullable(AuditResult),
  manifest: nullable(Manifest),
});
export type Job = Static<typeof Job>;

export const Jobs = Type.Object({ jobs: Type.Array(Job), running: nullable(Job) });
export type Jobs = Static<typeof Jobs>;

/** The filters of the explorer and the format. The response is the file; `X-Export-Job` is its job. */
export const ExportQuery = closed({ ...filterFields, format: oneOf(['jsonl', 'csv']) });
export type ExportQuery = Static<typeof ExportQuery>;

const call = adminTopic('jobs');

export const jobsRoutes = {
  jobs: call('GET', '/jobs', 'viewer', {
    summary: 'List background jobs, newest first',
    query: closed({
      kind: Type.Optional(oneOf(JOB_KINDS)),
      limit: Limit(20, 100),
    }),
    data: Jobs,
  }),
  job: call('GET', '/jobs/:id', 'viewer', {
    summary: 'Get a job',
    params: JobParams,
    data: Job,
  }),
  cancelJob: call('POST', '/jobs/:id/cancel', 'auditor', {
    summary: 'Cancel a job',
    params: JobParams,
    body: JobReasonBody,
    data: Job,
  }),
  startAudit: call('POST', '/jobs/audit', 'auditor', {
    summary: 'Start an audit of the entire ledger',
    data: Job,
  }),
  findings: call('GET', '/findings', 'viewer', {
    summary:
      'List the open findings of audits; while one is open, its subject is not paid automatically',
    data: Findings,
  }),
  acceptFinding: call('POST', '/findings/:finding/accept', 'operator', {
    summary: 'Accept a finding as explained or repaired; it is closed when a second operator does',
    params: Type.Object({ finding: Digest }),
    headers: KeyHeaders,
    body: ReasonBody,
    data: Type.Object({ position: Position, status: oneOf(['done', 'waiting']) }),
  }),
  exportEvents: call('GET', '/export', 'auditor', {
    summary: 'Export the matching events as a file, oldest first; the job contains the manifest',
    query: ExportQuery,
    data: Manifest,
    file: {
      types: ['application/x-ndjson', 'text/csv'],
      description: 'A file, one event a line; this is its last line, the manifest',
    },
  }),
};
