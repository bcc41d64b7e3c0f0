/**
 * The one way to run work of which one process does each part at a time: publisher, projections, cashier. Several
 * processes may run the same worker; the rows of `checkpoints` decide which of them does the work.
 *
 *   waiting --taken--> leading --LeaseLost--> losing --> waiting
 *      |                  |
 *      '------close-------'--> closed
 *
 * waiting: another process has the leases, they are stopped, or Postgres is away. Asks again every `standbyMs`.
 * leading: has at least one lease, and does one turn after another. Renews before a turn when it is time, and asks for
 *   the leases that it lacks. A turn that throws is tried again, later each time; the leases are kept meanwhile, or given
 *   back with `releasesOnFailure`.
 * losing: a renewal, or the turn's own transaction, threw `LeaseLost`. Those leases are dropped: what was in memory for
 *   them is lost, nothing is written, nothing is given back.
 * closed: the turn in hand has ended, what was done is saved, and the leases are free for the next process.
 *
 * Fencing does not rely on these states. A process that was frozen takes itself for leading when it wakes up. Taking a
 * lease gives it a new epoch, and every statement that moves a checkpoint or renews a lease names the epoch that it was
 * taken with (checkpoint.ts): that of a former leader changes nothing and throws `LeaseLost`. What leaves Postgres is
 * fenced where it arrives: by the last message on the bus, by idempotency keys in the ledger.
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
  /** Between renewals; a third of the lease where it is not given. */
  readonly renewMs?: number;
  /** Between requests for leases that another process has. */
  readonly standbyMs?: number;
  /** After a failure: from the first to the last, doubling. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
}

export interface Turn {
  /** Aborted when the worker closes. */
  readonly signal: AbortSignal;
  /** Renews the leases when it is time: for long turns. Throws `LeaseLost`, also once one of this turn's is not held any more. */
  hold(): Promise<void>;
  /**
   * The work is done, and what is left of the turn is a wait. `problem`: what kept a part of it from being done. Implied by
   * its end, with none.
   */
  done(problem?: string | null): void;
  /** The follower was stopped: its lease is no longer held. */
  drop(lease: Lease): void;
}

export interface LeasedWork {
  readonly pool: pg.Pool;
  /** Whose leases it takes; none: any number of processes do the work. */
  readonly followers?: readonly Follower[];
  readonly timing: WorkerTiming;
  readonly log: {
    info(about: object, text: string): void;
    warn(about: object, text: string): void;
  };
  /** A piece of the work, and the wait for the next one. Called while at least one lease is held. */
  turn(turn: Turn): Promise<void>;
  /** State that belongs to the holding of a lease begins here, and ends with `onLost`. */
  onTaken?(lease: Lease): void;
  onLost?(lease: Lease): void;
  /** Writes how far it came: with each renewal, and before the leases are given back at the end. Throws `LeaseLost`. */
  save?(): Promise<void>;
  /** In place of the log, which has the first of several failures. @returns how long to pause, if not as in `timing`. */
  onFailure?(error: unknown): number | undefined;
  readonly releasesOnFailure?: boolean;
}

export interface WorkerStatus {
  /** Whether this one holds a lease. */
  readonly acting: boolean;
  /** What keeps it from its work, or null: also while another process does the work. */
  readonly failing: string | null;
}

export interface LeasedWorker {
  status(): WorkerStatus;
  /** Resolves when the turn in hand has ended and the leases are free. */
  close(): Promise<void>;
}

/** A turn did nothing, for a reason that is no failure; it is tried again like one. */
export class TryAgain extends Error {
  override name = 'TryAgain';
}

/** A name of this process's own, with its machine and process id. */
export function holderName(of = ''): string {
  return `${of}${of && '-'}${hostname()}-${process.pid}-${randomUUID()}`;
}

/** Starts the work. Closing it is the caller's, as is the pool. */
export function startLeasedWorker(work: LeasedWork): LeasedWorker {
  const { standbyMs = STANDBY_MS, retryMinMs, retryMaxMs } = work.timing;
  const closing = new AbortController();
  const { signal } = closing;
  const leases = openLeases(work);
  let failing: string | null = null;
  let isLogged = false; // of failures of turns in a row only the first is
  let retryMs = retryMinMs;
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});

  async function step(): Promise<void> {
    await leases.take();
    if (!leases.isLeading()) {
      // What kept this one from the work is of no concern while another does it.
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
      if (failing !== null && problem === null) work.log.info({}, 'going on');
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
      else if (!isLogged) work.log.warn({ err: error }, 'cannot go on; trying again');
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
    /** Asks for those that it lacks: at once if it has none, else every `standbyMs`. */
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
    /** With the leases of now: what an earlier turn left running cannot hold on to later ones. */
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
        log.info({ follower: lease.name }, 'the lease was lost; asking for it again');
        work.onLost?.(lease);
      }
      return gone.length > 0;
    },
    /** Gives them back, so that another need not wait until they run out; where Postgres is away they do. */
    async release(save?: () => Promise<void>): Promise<void> {
      if (held.length > 0) await save?.().catch(() => {});
      const leases = held;
      // First, so that nothing that still runs renews what was given back.
      held = [];
      for (const lease of leases) {
        work.onLost?.(lease);
        await releaseLease(pool, lease).catch(() => {});
      }
    },
  };
}
