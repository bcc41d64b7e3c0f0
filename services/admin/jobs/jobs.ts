/**
 * Background jobs as rows: one process runs a job, all processes see its progress. A job holds a lease; when the lease of
 * a dead process expires, the job is lost and the next one may start. Jobs can be killed at any time: an audit only reads.
 */
import type { AuditReport } from '@reelbook/audit/audit';
import type { ChainCompared } from '@reelbook/audit/chain/reconcile';
import { type Finding, groupFindings } from '@reelbook/audit/findings';
import { verdictOf } from '@reelbook/audit/report';
import type { JobKind } from '@reelbook/contract/admin/jobs';
import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import type { ExportManifest } from '@reelbook/games/proofs/verify-export';
import { assert } from '@reelbook/ledger/assert';
import type { Asset } from '@reelbook/ledger/money';
import { overCapMinor } from '@reelbook/ledger/treasury/in-flight';
import type pg from 'pg';
import { amount, points, token } from '../reads/convert.ts';

const JOBS_LIMIT_MAX = 200;
/** Maximum concurrent exports across all processes. */
const EXPORTS_MAX = 3;

const LEASE_S = 20;
/** The unique index that allows only one running job. */
const ONE_AT_A_TIME = 'admin_jobs_one';

export interface Progress {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly perSecond: number;
}

/** `lost`: its process ended without a result. */
type JobState = 'running' | 'done' | 'failed' | 'cancelled' | 'lost';

/** A job to start. `by` is `operator:<wallet>`, `subject` a projection. */
export interface Order {
  readonly kind: JobKind;
  readonly by: string;
  readonly reason: string | null;
  readonly subject: string | null;
}

/** Another job is running, or the limit of exports is reached. */
export class JobRunning extends Error {
  override name = 'JobRunning';
}

/** Creates a job of this process. @returns its number. Throws `JobRunning`. */
export async function openJob(
  pool: pg.Pool,
  { kind, subject, by, reason, holder }: Order & { readonly holder: string },
): Promise<number> {
  await loseDeadJobs(pool);
  try {
    const { rows } = await pool.query<{ id: number }>(
      `insert into admin_jobs (kind, subject, started_by, reason, holder, lease_until)
        select $1, $2, $3, $4, $5, now() + make_interval(secs => $6)
        where $1 <> 'export' or $7 > (select count(*) from admin_jobs
          where state = 'running' and kind = 'export')
        returning id`,
      [kind, subject, by, reason, holder, LEASE_S, EXPORTS_MAX],
    );
    const [row] = rows;
    if (!row)
      throw new JobRunning(
        `${EXPORTS_MAX} exports are running, the maximum; try again when one has ended`,
      );
    return row.id;
  } catch (error) {
    if (!isTaken(error)) throw error;
    const [running] = (await readJobs(pool, { limit: JOBS_LIMIT_MAX })).filter(isOneAtATime);
    const what = running ? `${running.kind} ${running.subject ?? ''}`.trim() : 'a job';
    throw new JobRunning(`${what} is running; only one runs at a time`);
  }
}

/** Stores the progress and renews the lease. @returns false if the job was cancelled or is lost. */
export async function renewJob(
  pool: pg.Pool,
  id: number,
  progress: Progress | null,
): Promise<boolean> {
  const { rows } = await pool.query<{ cancel_requested: boolean }>({
    name: 'keep-job',
    text: `update admin_jobs set step = coalesce($2, step), done = coalesce($3, done),
        total = coalesce($4, total), per_second = coalesce($5, per_second), updated_at = now(),
        lease_until = now() + make_interval(secs => $6)
      where id = $1 and state = 'running' returning cancel_requested`,
    values: [
      id,
      progress?.step ?? null,
      progress?.done ?? null,
      progress?.total ?? null,
      progress?.perSecond ?? null,
      LEASE_S,
    ],
  });
  return rows[0]?.cancel_requested === false;
}

/** Ends a job. A job that is lost meanwhile stays lost. */
export async function endJob(
  pool: pg.Pool,
  id: number,
  options: {
    readonly state: Exclude<JobState, 'running' | 'lost'>;
    readonly result?: unknown;
    readonly error?: string;
  },
): Promise<void> {
  await pool.query(
    `update admin_jobs set state = $2, result = $3, error = $4, updated_at = now(),
        ended_at = now() where id = $1 and state = 'running'`,
    [
      id,
      options.state,
      options.result === undefined ? null : JSON.stringify(options.result),
      options.error ?? null,
    ],
  );
}

/** Requests the cancellation of a job. @returns null if it does not exist. */
export async function cancelJob(pool: pg.Pool, id: number): Promise<Job | null> {
  await pool.query(
    `update admin_jobs set cancel_requested = true where id = $1 and state = 'running'`,
    [id],
  );
  return readJob(pool, id);
}

export async function readJob(pool: pg.Pool, id: number): Promise<Job | null> {
  await loseDeadJobs(pool);
  const row = await rowOf(pool, JOBS.where('id', '=', id));
  return row && toJob(row);
}

/** Newest first. */
export async function readJobs(
  pool: pg.Pool,
  options: {
    readonly kind?: JobKind | undefined;
    /** The id of the last job of the previous page. */
    readonly before?: number | undefined;
    readonly limit: number;
  },
): Promise<Job[]> {
  const { kind, before = Number.MAX_SAFE_INTEGER, limit } = options;
  assert(limit >= 1 && limit <= JOBS_LIMIT_MAX, 'a limit');
  await loseDeadJobs(pool);
  const newest = JOBS.where('id', '<', before).orderBy('id', 'desc').limit(limit);
  const rows = await rowsOf(pool, kind === undefined ? newest : newest.where('kind', '=', kind));
  return rows.map(toJob);
}

const NOT_CANCELLED: readonly JobState[] = ['done', 'failed', 'lost'];
/** The newest audit that ended in one of these states, or null. */
export async function readLastAudit(pool: pg.Pool, states = NOT_CANCELLED): Promise<Job | null> {
  await loseDeadJobs(pool);
  const ended = JOBS.where('kind', '=', 'audit')
    .where('state', 'in', states)
    .orderBy('id', 'desc')
    .limit(1);
  const row = await rowOf(pool, ended);
  return row && toJob(row);
}

const JOBS = tables
  .selectFrom('admin_jobs')
  .select(['id', 'subject', 'started_by as by', 'reason', 'step', 'done', 'total', 'per_second'])
  .select(['started_at', 'updated_at', 'ended_at', 'error', 'result'])
  .select((eb) => [
    eb.ref('kind').$castTo<JobKind>().as('kind'),
    eb.ref('state').$castTo<JobState>().as('state'),
  ]);

type Row = Awaited<ReturnType<typeof JOBS.execute>>[number];

function toJob({ kind, result, ...row }: Row) {
  const found = result === null ? null : JSON.parse(result);
  return {
    id: row.id,
    kind,
    subject: row.subject,
    by: row.by,
    reason: row.reason,
    state: row.state,
    step: row.step,
    done: row.done,
    total: row.total,
    per_second: row.per_second,
    started_at: row.started_at,
    updated_at: row.updated_at,
    ended_at: row.ended_at,
    error: row.error,
    audit: kind === 'audit' ? (found as AuditResult | null) : null,
    manifest: kind === 'export' ? (found as ExportManifest | null) : null,
  };
}

export type Job = ReturnType<typeof toJob>;
type AuditResult = ReturnType<typeof auditResult>;

const findingAnswer = ({ check, position, message }: Finding) => ({ check, position, message });

/** What a job stores of an audit. `rows` is the number of compared rows of projections. */
export function auditResult(report: AuditReport, compared: ChainCompared, rows: number) {
  const { findings, rounds, seals, anchors, treasury } = report;
  const cap = { hotWalletMaxTokenMinor: treasury.hotWalletMaxMinor };
  const over = overCapMinor(treasury.observedMinor, cap);
  const first = findings.first();
  return {
    clean: findings.count === 0,
    verdict: verdictOf(report, compared.unproven),
    unproven: compared.unproven,
    mode: report.mode,
    events: report.events,
    streams: report.streams,
    head_hash: report.headHash,
    rounds: {
      checked: rounds.checked,
      awaiting_reveal: rounds.awaitingReveal,
      open: rounds.open,
    },
    voids: [...report.voids].map(([by, sum]) => ({
      by,
      count: sum.count,
      returned: points(sum.returnedMinor),
      would_have_paid: points(sum.wouldHavePaidMinor),
      awaiting_reveal: sum.awaitingReveal,
    })),
    treasury_over_cap: over === null ? null : token(over),
    lucky: report.luck.named.map(({ player, rounds, oneIn }) => ({
      player,
      rounds,
      one_in: oneIn,
    })),
    seals: { count: seals.count, to: seals.to },
    anchored: {
      count: anchors.count,
      to_seal: anchors.seal,
      to: anchors.to,
      newest_at: anchors.time,
    },
    chain: {
      has_chain: compared.hasChain,
      transactions: compared.transactions,
      found: compared.found,
      older: compared.older,
    },
    read_model_rows: rows,
    findings: findings.count,
    first: first && findingAnswer(first),
    kept: findings.kept.map(findingAnswer),
    groups: groupFindings(findings).map(({ cause, consequences, next }) => ({
      cause: findingAnswer(cause),
      consequences: consequences.map(findingAnswer),
      next,
    })),
    trial_balance: [...report.trialBalance].sort().map(([key, minor]) => {
      const [line = '', asset] = key.split(' ');
      return { line, balance: amount(asset as Asset, minor) };
    }),
  };
}

export function isOneAtATime({ kind, state }: Pick<Job, 'kind' | 'state'>): boolean {
  return state === 'running' && kind !== 'export' && kind !== 'continue';
}

async function loseDeadJobs(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update admin_jobs set state = 'lost', ended_at = now(), updated_at = now(),
        error = 'its process ended without a result'
      where state = 'running' and lease_until < now()`,
  );
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === ONE_AT_A_TIME;
}
