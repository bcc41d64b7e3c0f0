import type { Job, ReadModels } from '@reelbook/contract/admin/jobs';
import type { AdminData } from '@reelbook/contract/admin/routes';
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { readHead } from '@reelbook/event-store/read-log';
import { foldedState, readStream } from '@reelbook/event-store/read-stream';
import { Refused } from '@reelbook/http/refused';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { type FindingsRecorded, openFindings } from '@reelbook/ledger/operators/findings';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { projections } from '@reelbook/projections/all';
import { followerOf, type Place } from '@reelbook/projections/parallel';
import type { Projection } from '@reelbook/projections/projection';
import type { Admin, AdminHandlers, Caller } from '../context.ts';
import { auditWork, rebuildWork } from '../jobs/job-runner.ts';
import { cancelJob, isOneAtATime, isProjectionAction, readJob, readJobs } from '../jobs/jobs.ts';
import { recordCancel, recorded } from '../projection-actions.ts';

const JOBS_BY_DEFAULT = 20;
/** Newest jobs searched for the running one; fewer run concurrently. */
const RUNNING_SEARCHED = 20;

export function jobReads(admin: Admin) {
  const { pool } = admin;
  return {
    readModels: async () => ({ data: await readModelsAnswer(admin) }),
    jobs: async ({ query }) => {
      const jobs = await readJobs(pool, {
        kind: query.kind,
        limit: query.limit ?? JOBS_BY_DEFAULT,
      });
      const latest = await readJobs(pool, { limit: RUNNING_SEARCHED });
      return { data: { jobs, running: latest.find(isOneAtATime) ?? null } };
    },
    job: async ({ params }) => ({ data: jobOr(await readJob(pool, Number(params.id))) }),
    cancelJob: async ({ params, body, ...caller }) => {
      const { operator, correlation } = caller;
      admin.log.info({ operator, id: correlation, job: params.id }, 'operator cancelled a job');
      const job = await readJob(pool, Number(params.id));
      if (job?.state === 'running' && job.subject !== null && isProjectionAction(job)) {
        const { id, kind: act, subject: readModel } = job;
        await recordCancel(admin, caller, {
          readModel,
          operation: act,
          job: id,
          reason: body.reason,
        });
      }
      return { data: jobOr(await cancelJob(pool, Number(params.id))) };
    },
    findings: async () => ({ data: await readFindings(admin) }),
    startAudit: async ({ body, operator }) => ({ data: await startAudit(admin, operator, body) }),
    startRebuild: async ({ body, ...caller }) => {
      const { read_model: name, reason } = body;
      return { data: await startRebuild(admin, caller, { name, act: 'rebuild', reason }) };
    },
    startSwitch: async ({ body, ...caller }) => {
      const { read_model: name, act, reason } = body;
      return { data: await startRebuild(admin, caller, { name, act, reason }) };
    },
  } satisfies Partial<AdminHandlers>;
}

async function startAudit(
  { pool, runner, vault, games, work, log }: Admin,
  operator: Caller['operator'],
  options: { readonly mode?: 'public' | 'operator'; readonly read_models?: boolean },
): Promise<Job> {
  const mode = options.mode ?? (vault ? 'operator' : 'public');
  if (mode === 'operator' && !vault) {
    const problem = 'mode operator needs SEED_KEY, which this service does not have';
    throw new Refused({ failed: 'bad-input', detail: { problem } });
  }
  const order = { kind: 'audit', by: `operator:${operator}`, subject: null, reason: null } as const;
  const job = await runner.start(
    order,
    auditWork({
      url: work.databaseUrl,
      vault: mode === 'operator' ? vault : null,
      games,
      chain: work.chain,
      projections: options.read_models === false ? [] : projections,
      onUnrecorded: (err) => log.error({ err }, 'the findings of an audit are not recorded'),
    }),
  );
  return jobOr(await readJob(pool, job));
}

/** From the events: neither a row nor a read model can close one. */
async function readFindings({ pool }: Admin): Promise<AdminData<'findings'>> {
  const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
  const open = openFindings(state);
  const versions = new Set([...open.values()].map(({ version }) => version));
  const events = await Promise.all(
    [...versions].map((fromVersion) =>
      readStream<FindingsRecorded>(pool, { stream: OPERATORS_STREAM, fromVersion, limit: 1 }),
    ),
  );
  return events.flat().flatMap(({ event, version, position: recorded_in, time: recorded_at }) =>
    event.data.findings.flatMap(({ digest: finding, ...one }) => {
      const known = open.get(finding);
      if (known?.version !== version) return [];
      const proposed_by = known.proposedBy ?? null;
      return [{ finding, ...one, recorded_at, recorded_in, proposed_by }];
    }),
  );
}

async function startRebuild(
  admin: Admin,
  { operator, correlation }: Pick<Caller, 'operator' | 'correlation'>,
  options: {
    readonly name: string;
    readonly act: 'rebuild' | 'switch' | 'back' | 'discard';
    readonly reason: string;
  },
): Promise<Job> {
  const { pool, runner, work, log } = admin;
  const { name, act: kind, reason } = options;
  const projection = projections.find((one) => one.name === name);
  if (!projection) {
    throw new Refused({ failed: 'not-found', detail: { what: `there is no projection ${name}` } });
  }
  const order = { kind, by: `operator:${operator}`, subject: name, reason };
  const rebuild = rebuildWork({ url: work.databaseUrl, projection, act: kind });
  const acting = { operator, correlation, act: kind, projection, reason };
  const job = await runner.start(order, recorded(admin, acting, rebuild));
  log.warn({ operator, job, kind, readModel: name, reason }, 'operator started a projection job');
  return jobOr(await readJob(pool, job));
}

function jobOr(job: Job | null): Job {
  if (!job) throw new Refused({ failed: 'not-found', detail: { what: 'there is no such job' } });
  return job;
}

async function readModelsAnswer({ pool }: Admin): Promise<ReadModels> {
  const [head, checkpoints] = await Promise.all([readHead(pool), readCheckpoints(pool)]);
  const now = Date.now();
  const at = (name: string, version: number) =>
    checkpoints.find((one) => one.name === name && one.version === version) ?? null;
  const copyOf = (projection: Projection, place: Place) => {
    const { name, version } = followerOf(projection, place);
    const found = at(name, version);
    if (!found) return null;
    const workedOn = found.leaseUntil !== null && Date.parse(found.leaseUntil) > now;
    return { position: found.position, worked_on: workedOn };
  };
  return {
    head: head.position,
    read_models: projections.map((projection) => {
      const { name, version, tables } = projection;
      const live = at(name, version);
      return {
        ...{ name, version, tables: tables.map((table) => table.name) },
        position: live?.position ?? 0,
        stopped: live?.error ?? null,
        rebuilt: copyOf(projection, 'rebuilt'),
        replaced: copyOf(projection, 'replaced'),
      };
    }),
  };
}
