import { type Static, Type } from 'typebox';
import {
  closed,
  NumberText,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  Time,
} from '../common.ts';
import { adminTopic } from '../route.ts';
import { Amount, Limit } from './common.ts';
import { WorkReasonBody } from './engine.ts';
import { filterFields } from './explorer.ts';

const JOB_KINDS = ['audit', 'rebuild', 'switch', 'back', 'discard', 'continue', 'export'] as const;

/** `lost`: the process that did it is gone. */
const JOB_STATES = ['running', 'done', 'failed', 'cancelled', 'lost'] as const;

const JobParams = Type.Object({ id: NumberText });

const Finding = Type.Object({
  check: Type.String(),
  position: nullableInteger('The event where it shows'),
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
        by: Type.String({ description: 'The operator who voided them' }),
        count: Type.Integer(),
        returned: Amount,
        would_have_paid: Amount,
        awaiting_reveal: Type.Integer({ description: 'Not in the sum: their seed is secret' }),
      }),
      {
        description: 'Rounds that operators voided, and what their seeds give; a line an operator',
      },
    ),
  ),
  /** How much more the treasury holds than its cap: a warning, no finding. */
  treasury_over_cap: Type.Optional(nullable(Amount)),
  luck: Type.Optional(
    Type.Object({
      players: Type.Integer({ description: 'Who played at least one round' }),
      alpha: Type.Number({ description: 'The share of audits in which chance names anybody' }),
      threshold: Type.String({ description: 'Players over alpha: from this e-value on' }),
      count: Type.Integer(),
      named: Type.Array(
        Type.Object({
          player: Type.String(),
          rounds: Type.Integer(),
          e_value: Type.String({
            description: 'Chance reaches it in 1 of so many players at most',
          }),
        }),
        { description: 'The luckiest 100' },
      ),
    }),
  ),
  seals: Type.Object({ count: Type.Integer(), to: Type.Integer() }),
  /** Of jobs since the ledger is compared with its chain in both directions; older ones have none of these. */
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
      to: Type.Integer({ description: 'The last position that is anchored' }),
      newest_at: nullableText('When the newest anchor was booked'),
    }),
  ),
  chain: Type.Optional(
    Type.Object({
      has_chain: Type.Boolean(),
      transactions: Type.Integer({ description: 'Of the treasury, compared with the ledger' }),
      found: Type.Integer({ description: 'Of the ledger, found on the chain' }),
      older: Type.Integer({ description: 'Of the ledger, beyond the bound of one audit' }),
    }),
  ),
  read_model_rows: nullableInteger('Null: read models were left out'),
  findings: Type.Integer(),
  first: nullable(Finding),
  kept: Type.Array(Finding),
  trial_balance: Type.Array(Type.Object({ line: Type.String(), balance: Amount })),
});

const RebuildResult = Type.Object({
  from: Type.Integer(),
  position: Type.Integer(),
  compared: Type.Boolean(),
  equal: nullable(Type.Boolean()),
  compared_at: nullableInteger(),
  rows: nullableInteger(),
  difference: nullable(
    Type.Object({
      table: Type.String(),
      live: nullableText(),
      replayed: nullableText(),
    }),
  ),
  switched: Type.Boolean(),
  dropped: Type.Array(Type.String()),
});

/** What an export holds, and what proves that it was not changed. The last line of a JSONL says it as well. */
const Manifest = Type.Object({
  reelbook_export: Type.Integer({ description: 'Version of the format: 1' }),
  format: oneOf(['jsonl', 'csv']),
  filter: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
  }),
  from: Type.Integer({ description: 'Every event of the filter in from..to is in it' }),
  to: Type.Integer(),
  head: Type.Object({ position: Type.Integer(), hash: Type.String() }),
  count: Type.Integer(),
  contiguous: Type.Boolean({
    description: 'Nothing between is left out: the chain can be followed',
  }),
  sha256: Type.String({ description: 'Of all bytes of the file before the manifest' }),
  made_at: Time,
  operator: Type.String(),
  signature: Type.Optional(
    Type.Object(
      {
        algorithm: oneOf(['ed25519']),
        public_key: Type.String(),
        value: Type.String(),
      },
      { description: 'By the key of the receipts (GET /fairness/key); missing: unsigned' },
    ),
  ),
});

/** Long work. One audit, rebuild or switch runs at a time, whichever process does it. */
export const Job = Type.Object({
  id: Type.Integer(),
  kind: oneOf(JOB_KINDS),
  subject: nullableText('The read model it is about'),
  by: Type.String(),
  reason: nullableText(),
  state: oneOf(JOB_STATES),
  step: nullableText('What it is doing'),
  done: Type.Integer(),
  total: Type.Integer(),
  per_second: Type.Number({ description: 'Of the present step' }),
  started_at: Time,
  updated_at: Time,
  ended_at: nullableText(),
  error: nullableText('Why it failed'),
  audit: nullable(AuditResult),
  rebuild: nullable(RebuildResult),
  manifest: nullable(Manifest),
});
export type Job = Static<typeof Job>;

export const Jobs = Type.Object({ jobs: Type.Array(Job), running: nullable(Job) });
export type Jobs = Static<typeof Jobs>;

const readModel = Type.String({ pattern: '^[a-z][a-z-]{0,60}$', description: 'Its name' });

const reason = Type.String({ minLength: 1, maxLength: 200 });

const Beside = Type.Object({ position: Type.Integer(), worked_on: Type.Boolean() });

export const ReadModels = Type.Object({
  head: Type.Integer(),
  read_models: Type.Array(
    Type.Object({
      name: Type.String(),
      version: Type.Integer(),
      tables: Type.Array(Type.String()),
      position: Type.Integer(),
      stopped: nullableText(),
      rebuilt: nullable(Beside),
      replaced: nullable(Beside),
    }),
  ),
});
export type ReadModels = Static<typeof ReadModels>;

/** The filter of the explorer, and in which form. The answer is the file itself, its job in `X-Export-Job`. */
export const ExportQuery = closed({ ...filterFields, format: oneOf(['jsonl', 'csv']) });
export type ExportQuery = Static<typeof ExportQuery>;

const call = adminTopic('jobs');

export const jobsRoutes = {
  readModels: call('GET', '/read-models', 'viewer', {
    summary: 'Every read model and what stands beside it',
    data: ReadModels,
  }),
  jobs: call('GET', '/jobs', 'viewer', {
    summary: 'Long work, newest first',
    query: closed({
      kind: Type.Optional(oneOf(JOB_KINDS)),
      limit: Limit(20, 100),
    }),
    data: Jobs,
  }),
  job: call('GET', '/jobs/:id', 'viewer', { summary: 'One of it', params: JobParams, data: Job }),
  cancelJob: call('POST', '/jobs/:id/cancel', 'auditor', {
    summary: 'Stop it',
    params: JobParams,
    body: WorkReasonBody,
    data: Job,
  }),
  startAudit: call('POST', '/jobs/audit', 'auditor', {
    summary: 'Audit the whole ledger',
    body: closed({
      mode: Type.Optional(
        oneOf(['public', 'operator'], 'operator opens sealed seeds; the default'),
      ),
      read_models: Type.Optional(Type.Boolean({ description: 'Compare them too; true without' })),
    }),
    data: Job,
  }),
  startRebuild: call('POST', '/jobs/rebuild', 'auditor', {
    summary: 'Rebuild a read model beside the live one, and compare',
    body: closed({ read_model: readModel, reason }),
    data: Job,
  }),
  startSwitch: call('POST', '/jobs/switch', 'operator', {
    summary: 'Switch to the rebuilt read model, go back, or discard what stands beside',
    body: closed({
      read_model: readModel,
      act: oneOf(
        ['switch', 'back', 'discard'],
        'To the rebuilt one; back to the replaced one; drop both',
      ),
      reason,
    }),
    data: Job,
  }),
  exportEvents: call('GET', '/export', 'auditor', {
    summary: 'The events of a filter as a file, oldest first; the manifest is in its job',
    query: ExportQuery,
    data: Manifest,
    file: true,
  }),
};
