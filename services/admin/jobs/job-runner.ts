import type { AuditReport } from '@reelbook/audit/audit';
import { auditWithChain, verdictOf } from '@reelbook/audit/audit-with-chain';
import type { ChainOrder } from '@reelbook/audit/chain/reconcile';
import { checkProjections } from '@reelbook/audit/projections-check';
import { openPool } from '@reelbook/event-store/db';
import { holderName } from '@reelbook/event-store/leased-worker';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import type { Game } from '@reelbook/games/game';
import { overCapMinor } from '@reelbook/ledger/treasury/hot-wallet';
import type { Projection } from '@reelbook/projections/projection';
import type { Rebuilt } from '@reelbook/projections/rebuild';
import { carryOut, type RebuildAction } from '@reelbook/projections/recorded-action';
import type pg from 'pg';
import { endJob, keepJob, type Order, openJob, type Progress } from './jobs.ts';

const KEEP_EVERY_MS = 1_000;
/** A rebuild's reads, its writes, the live checkpoint and the comparison; an audit needs three. */
const CONNECTIONS = 4;

/** Thrown by work that somebody outside has ended: no fault of it. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

export type Tell = (o: Omit<Progress, 'perSecond'>) => void;

/** Does the work; throws when `signal` aborts. What it returns is kept as the job's result. */
export type Work = (o: {
  /** Its number. */
  readonly job: number;
  readonly signal: AbortSignal;
  readonly tell: Tell;
}) => Promise<unknown>;

export interface JobRunner {
  /** Begins it and answers at once with its number; the work goes on. Throws `JobRunning`. */
  start(order: Order, work: Work): Promise<number>;
  /** The same for short work: answers when it has ended, and throws what it throws. */
  run(order: Order, work: Work): Promise<void>;
  /** Stops all of this process and waits until it has. */
  close(): Promise<void>;
}

export function openJobRunner(o: {
  readonly pool: pg.Pool;
  /** Hears of work that failed by a fault of ours. */
  onFault(error: unknown, o: { readonly job: number; readonly kind: Order['kind'] }): void;
}): JobRunner {
  const { pool } = o;
  const running = new Map<number, { controller: AbortController; ended: Promise<void> }>();

  async function run(
    job: number,
    { kind }: Order,
    work: Work,
    controller: AbortController,
  ): Promise<void> {
    const { signal } = controller;
    const meter = openMeter();
    let keeping = Promise.resolve(true);
    const keep = () => {
      keeping = keepJob(pool, job, meter.progress()).catch(() => true);
      return keeping.then((goOn) => {
        if (!goOn) controller.abort(new Error('cancelled'));
      });
    };
    const timer = setInterval(() => void keep(), KEEP_EVERY_MS);
    const finish = async (end: Parameters<typeof endJob>[2]) => {
      clearInterval(timer);
      await keep();
      await endJob(pool, job, end);
    };
    try {
      const result = await work({ job, signal, tell: meter.tell });
      await finish({ state: 'done', result });
    } catch (error) {
      if (signal.aborted || error instanceof Cancelled) return await finish({ state: 'cancelled' });
      o.onFault(error, { job, kind });
      const message = error instanceof Error ? error.message : String(error);
      await finish({ state: 'failed', error: message });
    }
  }

  async function start(order: Order, work: Work): Promise<{ job: number; ended: Promise<void> }> {
    const job = await openJob(pool, { ...order, holder: holderName() });
    const controller = new AbortController();
    // A database that is away keeps the end from being written: the lease runs out, and the job is lost.
    const ended = run(job, order, work, controller)
      .catch((error: unknown) => o.onFault(error, { job, kind: order.kind }))
      .finally(() => running.delete(job));
    running.set(job, { controller, ended });
    return { job, ended };
  }

  return {
    start: async (order, work) => (await start(order, work)).job,
    async run(order, work) {
      let fault: unknown = null;
      const { ended } = await start(order, (o) =>
        work(o).catch((error: unknown) => {
          fault = error;
          throw error;
        }),
      );
      await ended;
      if (fault !== null) throw fault;
    },
    async close() {
      const all = [...running.values()];
      for (const { controller } of all) controller.abort(new Error('the process ends'));
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

/** Counts how fast the present step goes. */
function openMeter() {
  let now: Omit<Progress, 'perSecond'> | null = null;
  let since = { step: '', done: 0, atMs: 0 };
  return {
    tell: ((progress) => {
      if (progress.step !== since.step) {
        since = { step: progress.step, done: progress.done, atMs: performance.now() };
      }
      now = progress;
    }) satisfies Tell,
    progress(): Progress | null {
      if (!now) return null;
      const seconds = Math.max(0.001, (performance.now() - since.atMs) / 1_000);
      return { ...now, perSecond: Math.max(0, now.done - since.done) / seconds };
    },
  };
}

/** What an audit of the console is given of the chain; its bounds are those of the command. */
export type AuditedChain = Omit<ChainOrder, 'all' | 'isOffline'>;

/** Audits the whole ledger as `npm run reelbook -- audit` does, beside whatever goes on. */
export function auditWork(o: {
  readonly url: string;
  /** Null audits in public mode. */
  readonly vault: SeedVault | null;
  readonly games: readonly Game[];
  /** What the ledger is compared with. */
  readonly chain: AuditedChain;
  /** Empty leaves the read models out. */
  readonly projections: readonly Projection[];
}): Work {
  return async ({ signal, tell }) => {
    const onProgress: Tell = (progress) => {
      signal.throwIfAborted();
      tell(progress);
    };
    const { vault, games } = o;
    const chain = { ...o.chain, all: false, isOffline: false };
    const { report, compared } = await withPool(o.url, 'app', (pool) =>
      auditWithChain({ pool, vault, games, chain, onProgress }),
    );
    const { findings } = report;
    const { projections } = o;
    const rows =
      projections.length === 0
        ? null
        : await withPool(o.url, 'projector', (pool) =>
            checkProjections({ pool, projections, findings, onProgress }),
          );
    return {
      clean: findings.count === 0,
      verdict: verdictOf(report, compared.unproven),
      unproven: compared.unproven,
      mode: report.mode,
      events: report.events,
      streams: report.streams,
      head_hash: report.headHash,
      rounds: {
        checked: report.rounds.checked,
        awaiting_reveal: report.rounds.awaitingReveal,
        open: report.rounds.open,
      },
      voids: [...report.voids].map(([by, sum]) => ({
        by,
        count: sum.count,
        returned: { asset: 'points', minor: sum.returnedMinor.toString() },
        would_have_paid: { asset: 'points', minor: sum.wouldHavePaidMinor.toString() },
        awaiting_reveal: sum.awaitingReveal,
      })),
      treasury_over_cap: overCapOf(report.treasury),
      luck: luckOf(report.luck),
      seals: { count: report.seals.count, to: report.seals.to },
      anchored: {
        count: report.anchors.count,
        to_seal: report.anchors.seal,
        to: report.anchors.to,
        newest_at: report.anchors.time,
      },
      chain: {
        has_chain: compared.hasChain,
        transactions: compared.transactions,
        found: compared.found,
        older: compared.older,
      },
      read_model_rows: rows,
      findings: findings.count,
      first: findings.first(),
      kept: findings.kept,
      trial_balance: [...report.trialBalance].sort().map(([key, minor]) => {
        const [line = '', asset = ''] = key.split(' ');
        return { line, balance: { asset, minor: minor.toString() } };
      }),
    };
  };
}

function overCapOf({ observedMinor, hotWalletMaxMinor }: AuditReport['treasury']) {
  const over = overCapMinor(observedMinor, { hotWalletMaxTokenMinor: hotWalletMaxMinor });
  return over === null ? null : { asset: 'token', minor: over.toString() };
}

function luckOf({ named, ...luck }: AuditReport['luck']) {
  return { ...luck, named: named.map(({ eValue, ...one }) => ({ ...one, e_value: eValue })) };
}

/** Rebuilds beside the live one and compares; or switches, goes back, discards. */
export function rebuildWork(o: {
  readonly url: string;
  readonly projection: Projection;
  readonly act: RebuildAction;
}): Work {
  const { projection, act } = o;
  return ({ signal, tell }) =>
    withPool(o.url, 'projector', async (pool) => {
      const holder = holderName('console');
      const step = act === 'back' ? 'catch up' : 'rebuild';
      const onProgress = ({ position, target }: { position: number; target: number }) =>
        tell({ step, done: position, total: target });
      const todo = { projections: [projection], act, holder, steps: { signal, onProgress } };
      const [done] = await carryOut(pool, todo);
      return done?.rebuilt
        ? resultOf(done.rebuilt)
        : { ...NOTHING_REBUILT, dropped: done?.dropped ?? [] };
    });
}

const NOTHING_REBUILT = {
  from: 0,
  position: 0,
  compared: false,
  equal: null,
  compared_at: null,
  rows: null,
  difference: null,
  switched: false,
};

function resultOf({ from, position, comparison, switched }: Rebuilt) {
  const difference = comparison?.firstDifference ?? null;
  return {
    from,
    position,
    compared: comparison !== null,
    equal: comparison?.equal ?? null,
    compared_at: comparison?.position ?? null,
    rows: comparison?.rows ?? null,
    difference,
    switched,
    dropped: [],
  };
}

async function withPool<T>(
  url: string,
  role: 'app' | 'projector',
  act: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  const pool = openPool({
    url,
    role,
    max: CONNECTIONS,
    name: 'console-job',
    noStatementTimeout: true,
  });
  try {
    return await act(pool);
  } finally {
    await pool.end();
  }
}
