/**
 * Long work as rows: one process does it, all see how far it is. A job holds a lease; one whose process died is lost
 * as soon as the lease has run out, and the next may start. What jobs do is safe to be killed at any moment: an audit
 * only reads, and a rebuild goes on from its own checkpoint.
 */
import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';

const JOBS_LIMIT_MAX = 100;
/** Exports at a time, over all processes: each reads as fast as its reader takes it. */
const EXPORTS_MAX = 3;

const LEASE_S = 20;
/** Of the index that lets one job run at a time. */
const ONE_AT_A_TIME = 'admin_jobs_one';

export const JOB_KINDS = [
  ...(['audit', 'rebuild', 'switch', 'back', 'discard', 'continue', 'export'] as const),
] as const;
export type JobKind = (typeof JOB_KINDS)[number];
export type JobState = 'running' | 'done' | 'failed' | 'cancelled' | 'lost';

export interface Job {
  readonly id: number;
  readonly kind: JobKind;
  readonly subject: string | null;
  /** `operator:<wallet>`. */
  readonly by: string;
  readonly reason: string | null;
  readonly state: JobState;
  readonly step: string | null;
  readonly done: number;
  readonly total: number;
  readonly perSecond: number;
  /** What it found, as its kind has it; null before its end. */
  readonly result: unknown;
  readonly error: string | null;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly endedAt: string | null;
}

export interface Progress {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly perSecond: number;
}

/** Another job is under way, or there are as many exports as may be. */
export class JobRunning extends Error {
  override name = 'JobRunning';
}

const COLUMNS = `id, kind, subject, started_by as by, reason, state, step, done, total,
  per_second as "perSecond", result, error, started_at as "startedAt", updated_at as "updatedAt",
  ended_at as "endedAt"`;

/** Begins a job of this process. Throws `JobRunning`. */
export async function openJob(
  pool: pg.Pool,
  o: {
    readonly kind: JobKind;
    readonly subject: string | null;
    readonly by: string;
    readonly reason: string | null;
    readonly holder: string;
  },
): Promise<Job> {
  await loseDeadJobs(pool);
  try {
    const { rows } = await pool.query<Row>(
      `insert into admin_jobs (kind, subject, started_by, reason, holder, lease_until)
        select $1, $2, $3, $4, $5, now() + make_interval(secs => $6)
        where $1 <> 'export' or $7 > (select count(*) from admin_jobs
          where state = 'running' and kind = 'export')
        returning ${COLUMNS}`,
      [o.kind, o.subject, o.by, o.reason, o.holder, LEASE_S, EXPORTS_MAX],
    );
    const [row] = rows;
    if (!row) throw new JobRunning(`${EXPORTS_MAX} exports are under way, which is the most`);
    return toJob(row);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const [running] = (await readJobs(pool, { limit: JOBS_LIMIT_MAX })).filter(isOneAtATime);
    const what = running ? `${running.kind} ${running.subject ?? ''}`.trim() : 'a job';
    throw new JobRunning(`${what} is under way; one audit, rebuild or switch runs at a time`);
  }
}

/** Says how far it is and holds its lease. @returns whether to go on: false when it was cancelled, or given up for lost. */
export async function keepJob(
  pool: pg.Pool,
  { id }: Pick<Job, 'id'>,
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

/** Ends it; one that was given up for lost meanwhile stays so. */
export async function endJob(
  pool: pg.Pool,
  { id }: Pick<Job, 'id'>,
  o: {
    readonly state: Exclude<JobState, 'running' | 'lost'>;
    readonly result?: unknown;
    readonly error?: string;
  },
): Promise<void> {
  await pool.query(
    `update admin_jobs set state = $2, result = $3, error = $4, updated_at = now(),
        ended_at = now() where id = $1 and state = 'running'`,
    [id, o.state, o.result === undefined ? null : JSON.stringify(o.result), o.error ?? null],
  );
}

/** Asks whoever does it to stop. @returns null for a job that there is not. */
export async function cancelJob(pool: pg.Pool, id: number): Promise<Job | null> {
  await pool.query(
    `update admin_jobs set cancel_requested = true where id = $1 and state = 'running'`,
    [id],
  );
  return readJob(pool, id);
}

export async function readJob(pool: pg.Pool, id: number): Promise<Job | null> {
  await loseDeadJobs(pool);
  const { rows } = await pool.query<Row>(`select ${COLUMNS} from admin_jobs where id = $1`, [id]);
  return rows[0] ? toJob(rows[0]) : null;
}

/** Newest first. */
export async function readJobs(
  pool: pg.Pool,
  o: { readonly kind?: JobKind | undefined; readonly limit: number },
): Promise<readonly Job[]> {
  assert(o.limit >= 1 && o.limit <= JOBS_LIMIT_MAX, 'a limit');
  await loseDeadJobs(pool);
  const { rows } = await pool.query<Row>(
    `select ${COLUMNS} from admin_jobs where $1::text is null or kind = $1
      order by id desc limit $2`,
    [o.kind ?? null, o.limit],
  );
  return rows.map(toJob);
}

export function isOneAtATime({ kind, state }: Pick<Job, 'kind' | 'state'>): boolean {
  return state === 'running' && kind !== 'export' && kind !== 'continue';
}

async function loseDeadJobs(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update admin_jobs set state = 'lost', ended_at = now(), updated_at = now(),
        error = 'the process that did it is gone'
      where state = 'running' and lease_until < now()`,
  );
}

/** As the driver gives it: JSON comes as text, see libs/event-store/db. */
interface Row extends Omit<Job, 'result'> {
  readonly result: string | null;
}

function toJob({ result, ...row }: Row): Job {
  return { ...row, result: result === null ? null : JSON.parse(result) };
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === ONE_AT_A_TIME;
}
