/**
 * One worker keeps one projection up to date: from Postgres until it has caught up, then from the feed.
 *
 * It holds a lease, and moves the checkpoint in the transaction of the rows. Killed or paused between any two lines it
 * leaves both as they were; woken after its lease went to another it changes nothing, for epoch or position no longer
 * fit. An event that cannot be applied stops the projection there, for everyone to see; what only says that Postgres is
 * away or busy is tried again for ever.
 */
import {
  acquireLease,
  type Lease,
  LeaseLost,
  releaseLease,
  renewLease,
  stopFollower,
} from '@reelbook/event-store/checkpoint';
import { isUnavailable } from '@reelbook/event-store/db';
import { readLog } from '@reelbook/event-store/read-log';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Projection } from '@reelbook/projections/projection';
import { applyBatch, NotInBook } from '@reelbook/projections/run';
import { pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import type { Feed } from './feed.ts';

/** Events applied in one transaction. */
const BATCH_MAX = 2_000;
/** A worker rests as long as its last transaction took, up to this: where all are busy, fewer and fuller ones do more. */
const REST_MAX_MS = 50;

export interface Timing {
  readonly leaseMs: number;
  /** Between asks for the lease while another has it, or the projection is stopped. */
  readonly standbyMs: number;
  /** Between looks at Postgres while the bus brings nothing: it may be late, or the publisher away. */
  readonly pollMs: number;
  /** The same while the bus is down. */
  readonly pollDownMs: number;
  /** Least time between two transactions: under load events gather meanwhile, and each commit carries many. */
  readonly paceMs: number;
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** How late a projection applies what it has read: for tests, 0 in production. */
  readonly lagMs: (projection: string) => number;
}

export interface WorkerStatus {
  readonly name: string;
  /** `standby`: another holds the lease, or the projection is stopped. */
  readonly state: 'standby' | 'working' | 'stopped';
  readonly position: number | null;
  /** What it tries again, or why it stopped; null when all is well. */
  readonly failing: string | null;
}

export interface Work {
  readonly pool: pg.Pool;
  readonly feed: Feed;
  readonly busHealthy: () => boolean;
  readonly log: Logger;
  readonly timing: Timing;
  readonly holder: string;
  readonly projection: Projection;
  readonly signal: AbortSignal;
  readonly status: { -readonly [K in keyof WorkerStatus]: WorkerStatus[K] };
}

/** Works until `signal` aborts. */
export async function runWorker(work: Work): Promise<void> {
  const { pool, projection, holder, timing, signal, status } = work;
  const { name, version } = projection;
  while (!signal.aborted) {
    try {
      const lease = await acquireLease(pool, { name, version, holder, leaseMs: timing.leaseMs });
      if (!lease) {
        if (status.state === 'working') status.state = 'standby';
        await pause(timing.standbyMs, signal);
        continue;
      }
      status.state = 'working';
      await follow(work, lease);
      if (signal.aborted) await releaseLease(pool, lease);
    } catch (error) {
      report(work, error);
      await pause(timing.retryMaxMs, signal);
    }
  }
}

/** Applies events until closing, or until the lease is lost or the projection stopped. */
async function follow(work: Work, lease: Lease): Promise<void> {
  const { pool, projection, timing, signal, status, log } = work;
  const { leaseMs } = timing;
  const paceMs = Math.max(timing.paceMs, projection.paceMs ?? 0);
  const lagMs = timing.lagMs(projection.name);
  const source = openSource(work);
  let keptAtMs = performance.now();
  let limit = BATCH_MAX;
  let retryMs = timing.retryMinMs;
  status.position = lease.position;
  while (!signal.aborted) {
    let events: readonly RecordedEvent[] = [];
    try {
      if (performance.now() - keptAtMs > leaseMs / 3) {
        await renewLease(pool, lease, leaseMs);
        keptAtMs = performance.now();
      }
      events = await source(status.position + 1, limit);
      const last = events.at(-1);
      if (!last) continue;
      if (lagMs > 0) await pause(lagMs, signal);
      const begunAtMs = performance.now();
      await applyBatch(pool, { projection, lease, events, leaseMs });
      keptAtMs = begunAtMs;
      status.position = last.position;
      recovered(work);
      limit = BATCH_MAX;
      retryMs = timing.retryMinMs;
      const tookMs = performance.now() - begunAtMs;
      const restMs = Math.max(paceMs - tookMs, Math.min(tookMs, REST_MAX_MS));
      if (events.length < BATCH_MAX) await pause(restMs, signal);
    } catch (error) {
      if (error instanceof LeaseLost) {
        log.info({ projection: projection.name }, 'another moved the checkpoint; looking again');
        return;
      }
      if (error instanceof NotInBook) work.feed.forget();
      if (error instanceof NotInBook || isTransient(error) || events.length === 0) {
        report(work, error);
        await pause(retryMs, signal);
        retryMs = Math.min(retryMs * 2, timing.retryMaxMs);
      } else if (events.length > 1) {
        // By halves to the very event, with all before it applied.
        limit = Math.floor(events.length / 2);
      } else return stop(work, lease, error);
    }
  }
}

/** Reads the next events from the feed; from Postgres where it has a gap, and every now and then in any case. */
function openSource(work: Work) {
  const { pool, feed, timing } = work;
  let behind = true;
  let polledAtMs = Number.NEGATIVE_INFINITY;
  return async (from: number, limit: number): Promise<readonly RecordedEvent[]> => {
    const live = feed.from(from, limit);
    if (live.length > 0) return live;
    const pollMs = work.busHealthy() ? timing.pollMs : timing.pollDownMs;
    const due = performance.now() - polledAtMs >= pollMs;
    if (behind || due || feed.hasGapAt(from)) {
      polledAtMs = performance.now();
      const events = await readLog(pool, { from, limit });
      behind = events.length === limit;
      if (events.length > 0) return events;
    }
    await feed.arrival(from, pollMs);
    return [];
  };
}

async function stop(work: Work, lease: Lease, error: unknown): Promise<void> {
  const { pool, projection, status, log } = work;
  const position = (status.position ?? 0) + 1;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  await stopFollower(pool, lease, `position ${position}: ${reason}`);
  status.state = 'stopped';
  status.failing = reason;
  log.error(
    { err: error, projection: projection.name, position },
    'an event cannot be applied; the projection is stopped',
  );
}

/** Says a failure once, however often it is tried again. */
function report({ log, projection, status }: Work, error: unknown): void {
  const failing = error instanceof Error ? error.message : String(error);
  if (status.failing === null) {
    log.warn({ err: error, projection: projection.name }, 'cannot go on; trying again');
  }
  status.failing = failing;
}

function recovered({ log, projection, status }: Work): void {
  if (status.failing === null) return;
  status.failing = null;
  log.info({ projection: projection.name, position: status.position }, 'going on');
}

/** SQLSTATE classes that say nothing about the events: rolled back, out of resources, locked, cancelled, system. */
const TRANSIENT_CODE = /^(40|53|55|57|58|25P03)/;

function isTransient(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return isUnavailable(error) || TRANSIENT_CODE.test(code);
}
