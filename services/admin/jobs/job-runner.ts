import type { ChainOrder } from '@reelbook/audit/chain/reconcile';
import { checkProjections } from '@reelbook/audit/projections-check';
import { recordFindings } from '@reelbook/audit/record-findings';
import { auditWithChain } from '@reelbook/audit/report';
import { holderName } from '@reelbook/event-store/leased-worker';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import { withPools } from '@reelbook/event-store/standby';
import type { Game } from '@reelbook/games/game';
import { projections } from '@reelbook/projections/all';
import type pg from 'pg';
import { auditResult, endJob, type Order, openJob, type Progress, renewJob } from './jobs.ts';

const RENEW_EVERY_MS = 1_000;

/** Thrown by work that was cancelled from outside. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

export type Report = (progress: Omit<Progress, 'perSecond'>) => void;

/** Does the work; throws when `signal` aborts. The return value is stored as the result of the job. */
export type Work = (run: {
  /** Number of the job. */
  readonly job: number;
  readonly signal: AbortSignal;
  readonly report: Report;
}) => Promise<unknown>;

export interface JobRunner {
  /** Starts the work and returns the number of the job without waiting. Throws `JobRunning`. */
  start(order: Order, work: Work): Promise<number>;
  /** Like `start` for short work: resolves when it has ended, and rethrows its error. */
  run(order: Order, work: Work): Promise<void>;
  /** Cancels all jobs of this process and waits until they have ended. */
  close(): Promise<void>;
}

export function openJobRunner(options: {
  readonly pool: pg.Pool;
  /** Called for work that failed. */
  onFault(error: unknown, job: { readonly job: number; readonly kind: Order['kind'] }): void;
}): JobRunner {
  const { pool } = options;
  const running = new Map<number, { controller: AbortController; ended: Promise<void> }>();

  async function run(
    job: number,
    { kind }: Order,
    work: Work,
    controller: AbortController,
  ): Promise<void> {
    const { signal } = controller;
    const meter = openMeter();
    let renewing = Promise.resolve(true);
    const renew = () => {
      renewing = renewJob(pool, job, meter.progress()).catch(() => true);
      return renewing.then((isActive) => {
        if (!isActive) controller.abort(new Error('cancelled'));
      });
    };
    const timer = setInterval(() => void renew(), RENEW_EVERY_MS);
    const finish = async (end: Parameters<typeof endJob>[2]) => {
      clearInterval(timer);
      await renew();
      await endJob(pool, job, end);
    };
    try {
      const result = await work({ job, signal, report: meter.report });
      await finish({ state: 'done', result });
    } catch (error) {
      if (signal.aborted || error instanceof Cancelled) return await finish({ state: 'cancelled' });
      options.onFault(error, { job, kind });
      const message = error instanceof Error ? error.message : String(error);
      await finish({ state: 'failed', error: message });
    }
  }

  async function start(order: Order, work: Work): Promise<{ job: number; ended: Promise<void> }> {
    const job = await openJob(pool, { ...order, holder: holderName() });
    const controller = new AbortController();
    // If the database is unreachable, the end is not written: the lease expires, and the job is lost.
    const ended = run(job, order, work, controller)
      .catch((error: unknown) => options.onFault(error, { job, kind: order.kind }))
      .finally(() => running.delete(job));
    running.set(job, { controller, ended });
    return { job, ended };
  }

  return {
    start: async (order, work) => (await start(order, work)).job,
    async run(order, work) {
      let fault: unknown = null;
      const { ended } = await start(order, (run) =>
        work(run).catch((error: unknown) => {
          fault = error;
          throw error;
        }),
      );
      await ended;
      if (fault !== null) throw fault;
    },
    async close() {
      const all = [...running.values()];
      for (const { controller } of all) controller.abort(new Error('the process is stopping'));
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

/**
 * Measures the speed of the current step between its first and its latest report: while nothing is reported, the speed
 * does not change.
 */
export function openMeter(nowMs: () => number = () => performance.now()) {
  let now: Progress | null = null;
  let since = { step: '', done: 0, atMs: 0 };
  return {
    report: ((progress) => {
      const atMs = nowMs();
      if (progress.step !== since.step) since = { step: progress.step, done: progress.done, atMs };
      const seconds = Math.max(0.001, (atMs - since.atMs) / 1_000);
      now = { ...progress, perSecond: Math.max(0, progress.done - since.done) / seconds };
    }) satisfies Report,
    progress: (): Progress | null => now,
  };
}

/** The chain of an audit from the console, with the same limits as the command. */
export type AuditedChain = Omit<ChainOrder, 'all' | 'isOffline'>;

/** Audits the entire ledger like `npm run reelbook -- audit`, while the site runs. */
export function auditWork(options: {
  readonly url: string;
  readonly readUrl: string | null;
  /** Null: public mode. */
  readonly vault: SeedVault | null;
  readonly games: readonly Game[];
  readonly chain: AuditedChain;
  /** The result of the audit is shown all the same. */
  onUnrecorded(error: unknown): void;
}): Work {
  return async ({ signal, report: onStep }) => {
    const onProgress: Report = (progress) => {
      signal.throwIfAborted();
      onStep(progress);
    };
    const { url, readUrl, vault, games } = options;
    const chain = { ...options.chain, all: false, isOffline: false };
    const named = { url, name: 'console-job' };
    const { report, compared } = await withPools({ ...named, readUrl }, (pool, standby) =>
      auditWithChain({ pool, standby, vault, games, chain, onProgress }),
    );
    const { findings } = report;
    const rows = await withPools({ ...named, role: 'projector' }, (pool) =>
      checkProjections({ pool, projections, findings, onProgress }),
    );
    await withPools(named, (pool) => recordFindings(pool, report)).catch(options.onUnrecorded);
    return auditResult(report, compared, rows);
  };
}
