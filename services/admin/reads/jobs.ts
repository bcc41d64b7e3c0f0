import { foldedState, openHistories, readStream } from '@reelbook/event-store/read-stream';
import { Refused } from '@reelbook/http/routes';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { type FindingsRecorded, openFindings } from '@reelbook/ledger/operators/findings';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { readPlayersNamed } from '@reelbook/projections/entries/read';
import type { Admin, AdminHandlers, Caller } from '../context.ts';
import { auditWork } from '../jobs/job-runner.ts';
import { cancelJob, isOneAtATime, readJob, readJobs, readLastAudit } from '../jobs/jobs.ts';

/** More than run concurrently. */
const JOBS_BY_DEFAULT = 20;

export function jobReads(admin: Admin) {
  const { pool } = admin;
  return {
    jobs: async ({ query }) => {
      const { kind, before, limit = JOBS_BY_DEFAULT } = query;
      const jobs = await readJobs(pool, { kind, before, limit });
      const latest = await readJobs(pool, { limit: JOBS_BY_DEFAULT });
      const next = jobs.length === limit ? (jobs.at(-1)?.id ?? null) : null;
      const running = latest.find(isOneAtATime) ?? null;
      return { data: { jobs, running, audited: await readLastAudit(pool, ['done']), next } };
    },
    job: async ({ params }) => ({ data: jobOr(await readJob(pool, Number(params.id))) }),
    cancelJob: async ({ params, body, operator, correlation }) => {
      const entry = { operator, id: correlation, job: params.id, reason: body.reason };
      admin.log.info(entry, 'operator cancelled a job');
      return { data: jobOr(await cancelJob(pool, Number(params.id))) };
    },
    findings: async () => ({ data: await readFindings(admin) }),
    startAudit: async ({ operator }) => ({ data: await startAudit(admin, operator) }),
  } satisfies Partial<AdminHandlers>;
}

async function startAudit(
  { pool, standby, runner, vault, games, work, log }: Admin,
  operator: Caller['operator'],
) {
  const order = { kind: 'audit', by: `operator:${operator}`, subject: null, reason: null } as const;
  const job = await runner.start(
    order,
    auditWork({
      url: work.databaseUrl,
      readUrl: standby?.url ?? null,
      vault,
      games,
      chain: work.chain,
      onUnrecorded: (err) => log.error({ err }, 'the findings of an audit are not recorded'),
    }),
  );
  return jobOr(await readJob(pool, job));
}

const PLAYER = 'player:';
/** By one operator each. */
const readFirst = openHistories(['FindingAcceptanceProposed']);

/** From the events: neither a row nor a read model can close one. */
async function readFindings({ pool }: Admin) {
  const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
  const open = openFindings(state);
  const versions = new Set([...open.values()].map(({ version }) => version));
  const events = await Promise.all(
    [...versions].map((fromVersion) =>
      readStream<FindingsRecorded>(pool, { stream: OPERATORS_STREAM, fromVersion, limit: 1 }),
    ),
  );
  const wallets = [...open.values()].map(({ subject }) => subject.slice(PLAYER.length));
  const named = await readPlayersNamed(pool, wallets);
  const history = (await readFirst(pool, [OPERATORS_STREAM])).get(OPERATORS_STREAM) ?? [];
  const first = history.flatMap(({ event: { data } }) => ('finding' in data ? [data] : []));
  return events.flat().flatMap(({ event, version, position: recorded_in, time: recorded_at }) =>
    event.data.findings.flatMap(({ digest: finding, check, position, subject, message }) => {
      const known = open.get(finding);
      if (known?.version !== version) return [];
      const proposed_by = known.proposedBy ?? null;
      const reason = first.findLast((one) => one.finding === finding)?.reason ?? '';
      const nickname = named.get(subject.slice(PLAYER.length))?.nickname ?? null;
      const found = { finding, check, position, subject, nickname, message, recorded_at };
      return [{ ...found, recorded_in, proposed_by, proposed_reason: proposed_by && reason }];
    }),
  );
}

function jobOr<Job>(job: Job | null): Job {
  if (!job) throw new Refused({ failed: 'not-found', detail: { what: 'there is no such job' } });
  return job;
}
