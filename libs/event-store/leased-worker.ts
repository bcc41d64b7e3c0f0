/**
 * Runs work that one process does at a time: publisher, projections, cashier. Several processes may run the same worker;
 * the rows of `checkpoints` decide which of them acts.
 *
 *   waiting --taken--> leading --LeaseLost--> losing --> waiting
 *      |                  |
 *      '------close-------'--> closed
 *
 * waiting: another process has the leases, they are stopped, or Postgres is away. Requests them every `standbyMs`.
 * leading: has at least one lease, and runs one turn after another. Renews before a turn when due, and requests the
 *   leases that it lacks. A turn that throws is retried with growing pauses; the leases are kept meanwhile, or
 *   released with `releasesOnFailure`.
 * losing: a renewal, or the turn's own transaction, threw `LeaseLost`. Those leases are dropped: their state in memory
 *   is discarded, nothing is written, nothing is released.
 * closed: the current turn has ended, progress is saved, and the leases are free for the next process.
 *
 * Fencing does not rely on these states: a process that was frozen still believes that it leads when it wakes up. Taking
 * a lease gives it a new epoch, and every statement that moves a checkpoint or renews a lease names its epoch
 * (checkpoint.ts): that of a former leader changes nothing and throws `LeaseLost`. Effects outside Postgres are fenced at
 * their target: by the last message on the bus, by idempotency keys in the ledger.
 *
 * A worker without followers has no lease: it always leads, in any number of processes.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  acquireLease,
  type Follower,
  type Lease,
  LeaseLost,
  releaseLease,
  renewLeases,
} from './checkpoint.ts';

const LEASE_MS = 5_000;
const STANDBY_MS = 1_000;

export interface WorkerTiming {
  readonly leaseMs?: number;
  /** Between renewals; default: a third of the lease. */
  readonly renewMs?: number;
  /** Between requests for leases that another process has. */
  readonly standbyMs?: number;
  /** Pause after a failure: from the first to the last value, doubling. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
}

export interface Turn {
  /** Aborted when the worker closes. */
  readonly signal: AbortSignal;
  /** Renews the leases when due: for long turns. Throws `LeaseLost`, also when a lease of this turn is no longer held. */
  hold(): Promise<void>;
  /**
   * The work is done, and the rest of the turn is a wait. `problem`: why a part of it was not done. The end of the turn
   * implies `done(null)`.
   */
  done(problem?: string | null): void;
  /** The follower was stopped: its lease is no longer held. */
  drop(lease: Lease): void;
}

export interface LeasedWork {
  readonly pool: pg.Pool;
  /** The followers whose leases it takes; none: any number of processes do the work. */
  readonly followers?: readonly Follower[];
  readonly timing: WorkerTiming;
  readonly log: {
    info(about: object, text: string): void;
    warn(about: object, text: string): void;
  };
  /** One piece of work, and the wait for the next one. Called while at least one lease is held. */
  turn(turn: Turn): Promise<void>;
  /** Called when a lease is taken: its state begins here, and ends with `onLost`. */
  onTaken?(lease: Lease): void;
  onLost?(lease: Lease): void;
  /** Saves progress: with each renewal, and before the leases are released at the end. Throws `LeaseLost`. */
  save?(): Promise<void>;
  /** Replaces the log entry, which is written for the first of several failures. @returns the pause, if not as in `timing`. */
  onFailure?(error: unknown): number | undefined;
  readonly releasesOnFailure?: boolean;
}

export interface WorkerStatus {
  /** Whether this process holds a lease. */
  readonly acting: boolean;
  /** Why it cannot work, or null: also null while another process does the work. */
  readonly failing: string | null;
}

export interface LeasedWorker {
  status(): WorkerStatus;
  /** Resolves when the current turn has ended and the leases are free. */
  close(): Promise<void>;
}

/** A turn did nothing, for a reason that is no failure; it is retried like one. */
export class TryAgain extends Error {
  override name = 'TryAgain';
}

/** A unique name for this process, with its machine and process id. */
export function holderName(of = ''): string {
  return `${of}${of && '-'}${hostname()}-${process.pid}-${randomUUID()}`;
}

/** Starts the work. The caller closes it, and the pool. */
export function startLeasedWorker(work: LeasedWork): LeasedWorker {
  const { standbyMs = STANDBY_MS, retryMinMs, retryMaxMs } = work.timing;
  const closing = new AbortController();
  const { signal } = closing;
  const leases = openLeases(work);
  let failing: string | null = null;
  let isLogged = false; // of consecutive failures only the first is logged
  let retryMs = retryMinMs;
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});

  async function step(): Promise<void> {
    await leases.take();
    if (!leases.isLeading()) {
      // A problem of this process does not matter while another does the work.
      failing = null;
      isLogged = false;
      retryMs = retryMinMs;
      return await pause(standbyMs);
    }
    if (signal.aborted) return;
    const turn = leases.openTurn(signal);
    await turn.hold();
    let isDone = false;
    const done = (problem: string | null = null) => {
      if (failing !== null && problem === null) work.log.info({}, 'recovered');
      failing = problem;
      isLogged = false;
      retryMs = retryMinMs;
      isDone = true;
    };
    await work.turn({ ...turn, done });
    if (!isDone) done();
  }

  async function recover(error: unknown): Promise<void> {
    if (error instanceof LeaseLost && leases.lose(error.leases)) return;
    let pauseMs = retryMs;
    if (!(error instanceof TryAgain)) {
      if (work.onFailure) pauseMs = work.onFailure(error) ?? retryMs;
      else if (!isLogged) work.log.warn({ err: error }, 'the work failed; retrying');
      isLogged = true;
      failing = error instanceof Error ? error.message : String(error);
    }
    if (work.releasesOnFailure) await leases.release();
    await pause(pauseMs);
    retryMs = Math.min(retryMs * 2, retryMaxMs);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) await step().catch(recover);
    await leases.release(work.save);
  }

  const running = run();
  return {
    status: () => ({ acting: leases.isLeading(), failing }),
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** The leases of a worker that it holds at present. */
function openLeases({ pool, followers = [], timing, log, ...work }: LeasedWork) {
  const { leaseMs = LEASE_MS, standbyMs = STANDBY_MS, renewMs = leaseMs / 3 } = timing;
  const holder = holderName();
  let held: readonly Lease[] = [];
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let renewedAtMs = Number.NEGATIVE_INFINITY;

  return {
    isLeading: () => held.length > 0 || followers.length === 0,
    /** Requests missing leases: immediately if it has none, else every `standbyMs`. */
    async take(): Promise<void> {
      if (held.length === followers.length) return;
      const nowMs = performance.now();
      if (held.length > 0 && nowMs - askedAtMs < standbyMs) return;
      askedAtMs = nowMs;
      for (const { name, version } of followers) {
        if (held.some((lease) => lease.name === name && lease.version === version)) continue;
        const lease = await acquireLease(pool, { name, version, holder, leaseMs });
        if (!lease) continue;
        if (held.length === 0) renewedAtMs = nowMs;
        held = [...held, lease];
        work.onTaken?.(lease);
      }
    },
    /** With the leases of this turn: what an earlier turn left running cannot use later ones. */
    openTurn(signal: AbortSignal): Omit<Turn, 'done'> {
      const mine = held;
      return {
        signal,
        async hold() {
          const lost = mine.filter((lease) => !held.includes(lease));
          if (lost.length > 0) throw new LeaseLost(lost);
          const nowMs = performance.now();
          if (mine.length === 0 || nowMs - renewedAtMs < renewMs) return;
          await renewLeases(pool, held, leaseMs);
          await work.save?.();
          renewedAtMs = nowMs;
        },
        drop(gone) {
          held = held.filter((lease) => lease !== gone);
        },
      };
    },
    /** @returns whether any of them was held. */
    lose(lost: readonly Lease[]): boolean {
      const gone = held.filter((lease) => lost.includes(lease));
      held = held.filter((lease) => !lost.includes(lease));
      for (const lease of gone) {
        log.info({ follower: lease.name }, 'lost the lease; requesting it again');
        work.onLost?.(lease);
      }
      return gone.length > 0;
    },
    /** Releases them, so that another process need not wait until they expire; where Postgres is away they expire. */
    async release(save?: () => Promise<void>): Promise<void> {
      if (held.length > 0) await save?.().catch(() => {});
      const leases = held;
      // First, so that nothing that still runs renews a released lease.
      held = [];
      for (const lease of leases) {
        work.onLost?.(lease);
        await releaseLease(pool, lease).catch(() => {});
      }
    },
  };
}
