import { Type } from 'typebox';
import { closed, NumberText, oneOf } from '../common.ts';
import { adminTopic } from '../route.ts';
import { Cursor, Limit, plainAction } from './common.ts';
import { filterFields } from './events.ts';

const engineCall = adminTopic('system status');

export const engineRoutes = {
  engine: engineCall('GET', '/engine', 'viewer', {
    summary: 'Get the faults of every component, the rate of events and the state of the proofs',
  }),
  continueFollower: engineCall('POST', '/engine/followers/:name/continue', 'operator', {
    summary: 'Resume a stopped projection at the event where it stopped',
    params: Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z-]{0,60}$' }),
    }),
    body: plainAction.body,
  }),
};

/** Kinds of background jobs. Only one audit runs at a time, across all processes. */
const JOB_KINDS = ['audit', 'continue', 'export'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

const JobParams = Type.Object({ id: NumberText });

const call = adminTopic('jobs');

export const jobsRoutes = {
  jobs: call('GET', '/jobs', 'viewer', {
    summary: 'List background jobs, newest first',
    query: closed({
      kind: Type.Optional(oneOf(JOB_KINDS)),
      before: Cursor('`next` of the previous page'),
      limit: Limit(20),
    }),
  }),
  job: call('GET', '/jobs/:id', 'viewer', {
    summary: 'Get a job',
    params: JobParams,
  }),
  cancelJob: call('POST', '/jobs/:id/cancel', 'auditor', {
    summary: 'Cancel a job',
    params: JobParams,
    body: plainAction.body,
  }),
  startAudit: call('POST', '/jobs/audit', 'auditor', {
    summary: 'Start an audit of the entire ledger',
  }),
  findings: call('GET', '/findings', 'viewer', {
    summary:
      'List the open findings of audits, oldest first; while one is open, its subject is not paid automatically',
  }),
  acceptFinding: call('POST', '/findings/:finding/accept', 'operator', {
    summary: 'Accept a finding as explained or repaired; it is closed when a second operator does',
    params: Type.Object({
      finding: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, hex' }),
    }),
    ...plainAction,
  }),
  exportEvents: call('GET', '/export', 'auditor', {
    summary: 'Export the matching events as a file, oldest first; the job contains the manifest',
    query: closed({ ...filterFields, format: oneOf(['jsonl', 'csv']) }),
    file: {
      types: ['application/x-ndjson', 'text/csv'],
      description: 'A file, one event a line; `X-Export-Job` is its job',
    },
  }),
};
