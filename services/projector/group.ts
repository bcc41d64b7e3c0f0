/**
 * A group of projections that follow at the same pace. Those that are at the same position are applied together: their
 * events are read and parsed once, and one transaction writes the rows of all of them and moves their checkpoints. One
 * that is behind the others (it is new, or failed) catches up alone, in smaller batches between theirs, and joins them.
 *
 * Each projection has a lease of its own. Killed or paused between any two lines the group leaves rows and checkpoints as
 * they were; after a lease went to another process it changes nothing there, for epoch or position no longer fit. An
 * event that cannot be applied stops its projection at that event, for everyone to see; what only means that Postgres is
 * away or busy is retried until it succeeds.
 */
import {
  acquireLease,
  type Lease,
  LeaseLost,
  releaseLease,
  renewLeases,
  stopFollower,
} from '@reelbook/event-store/checkpoint';
import { isUnavailable } from '@reelbook/event-store/db';
import { readLog } from '@reelbook/event-store/read-log';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { applyTogether, MemberFailed, NotInBook } from '@reelbook/projections/run';
import { pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import type { Feed } from './feed.ts';
import {
  CATCH_UP_MAX,
  type Held,
  isHeld,
  type Member,
  positionOf,
  recovered,
  report,
} from './member.ts';

/** Events applied in one transaction. */
const BATCH_MAX = 2_000;
/** The group rests as long as its last transaction took, up to this: on a busy machine fewer and fuller ones do more. */
const REST_MAX_MS = 50;

export interface Timing {
  readonly leaseMs: number;
  /** Between attempts to take the leases that another process has, or of projections that are stopped. */
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

export interface Group {
  readonly members: readonly Member[];
  readonly paceMs: number;
  readonly lagMs: number;
  readonly pool: pg.Pool;
  readonly feed: Feed;
  readonly busHealthy: () => boolean;
  readonly log: Logger;
  readonly timing: Timing;
  readonly holder: string;
  readonly signal: AbortSignal;
}

/** Works until the group's signal aborts, then lets its leases go. */
export async function runGroup(group: Group): Promise<void> {
  const { timing, signal, members } = group;
  const keepLeases = leaseKeeper(group);
  const readFront = frontReader(group);
  let retryMs = timing.retryMinMs;
  while (!signal.aborted) {
    try {
      await keepLeases();
      const behind = await catchUpOne(group);
      const front = frontOf(members);
      const [first] = front;
      if (!first) {
        if (!behind) await pause(timing.standbyMs, signal);
        continue;
      }
      const events = await readFront(positionOf(first) + 1, behind ? 0 : waitMs(group));
      if (events.length > 0) await applyFront(group, front, events, !behind);
      else for (const member of front) recovered(group.log, member);
      retryMs = timing.retryMinMs;
    } catch (error) {
      if (error instanceof NotInBook) group.feed.forget();
      for (const member of members) if (member.lease) report(group.log, member, error);
      await pause(retryMs, signal);
      retryMs = Math.min(retryMs * 2, timing.retryMaxMs);
    }
  }
  for (const { lease } of members) {
    if (lease) await releaseLease(group.pool, lease).catch(() => {});
  }
}

/** Those that are furthest, and are not to be applied alone. */
function frontOf(members: readonly Member[]): readonly Held[] {
  const ready = members.filter(isHeld).filter((one) => positionOf(one) >= one.aloneUntil);
  const furthest = Math.max(...ready.map(positionOf));
  return ready.filter((one) => positionOf(one) === furthest);
}

/** One batch of one that is behind or alone. @returns whether there was one. */
async function catchUpOne(group: Group): Promise<boolean> {
  const { members, pool, feed } = group;
  const front = frontOf(members);
  const target = front[0] ? positionOf(front[0]) : Number.POSITIVE_INFINITY;
  const lowest = members
    .filter(isHeld)
    .filter((one) => !front.includes(one) && (positionOf(one) < target || isAlone(one)))
    .sort((a, b) => positionOf(a) - positionOf(b))[0];
  if (!lowest) return false;
  const from = positionOf(lowest) + 1;
  const until = isAlone(lowest) ? lowest.aloneUntil : target;
  const limit = Math.min(lowest.limit, until - from + 1);
  const kept = feed.from(from, limit);
  const events = kept.length > 0 ? kept : await readLog(pool, { from, limit });
  if (events.length === 0) return false;
  await applyTo(group, [lowest], events);
  return true;
}

const isAlone = (member: Member) => positionOf(member) < member.aloneUntil;

async function applyFront(
  group: Group,
  front: readonly Held[],
  events: readonly RecordedEvent[],
  mayRest: boolean,
): Promise<void> {
  const begunAtMs = performance.now();
  await applyTo(group, front, events);
  const tookMs = performance.now() - begunAtMs;
  const restMs = Math.max(group.paceMs - tookMs, Math.min(tookMs, REST_MAX_MS));
  if (mayRest && events.length < BATCH_MAX) await pause(restMs, group.signal);
}

/** Applies events to some; those that cannot take them leave the others. Throws what concerns all of them. */
async function applyTo(
  group: Group,
  members: readonly Held[],
  events: readonly RecordedEvent[],
): Promise<void> {
  const { pool, timing, signal, log } = group;
  const last = events.at(-1)?.position ?? 0;
  if (group.lagMs > 0) await pause(group.lagMs, signal);
  try {
    await applyTogether(pool, { members, events, leaseMs: timing.leaseMs });
  } catch (error) {
    if (error instanceof LeaseLost) return lose(group, error);
    if (!(error instanceof MemberFailed) || isTransient(error.cause)) throw error;
    const failed = members.find(({ projection }) => projection === error.projection);
    if (!failed) throw error;
    if (events.length === 1) return stop(group, failed, failed.lease, error.cause);
    // By halves to the event that it cannot take, with all before it applied.
    failed.aloneUntil = Math.max(failed.aloneUntil, last);
    failed.limit = Math.floor(events.length / 2);
    log.warn(
      { err: error.cause, projection: failed.projection.name },
      'a batch failed; halving it',
    );
    return;
  }
  for (const member of members) {
    member.status.position = last;
    if (last >= member.aloneUntil) member.limit = CATCH_UP_MAX;
    recovered(group.log, member);
  }
}

/** Takes leases that are free and renews those that it has, each now and then. */
function leaseKeeper(group: Group): () => Promise<void> {
  const { pool, members, timing, holder } = group;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let renewedAtMs = performance.now();
  return async () => {
    const now = performance.now();
    if (now - askedAtMs >= timing.standbyMs && !members.every(isHeld)) {
      askedAtMs = now;
      for (const member of members) if (!member.lease) await acquire(member);
    }
    if (now - renewedAtMs < timing.leaseMs / 3) return;
    renewedAtMs = now;
    const leases = members.flatMap(({ lease }) => lease ?? []);
    try {
      if (leases.length > 0) await renewLeases(pool, leases, timing.leaseMs);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      lose(group, error);
    }
  };

  async function acquire(member: Member): Promise<void> {
    const { name, version } = member.projection;
    const lease = await acquireLease(pool, { name, version, holder, leaseMs: timing.leaseMs });
    if (lease) {
      Object.assign(member, { lease, aloneUntil: 0, limit: CATCH_UP_MAX });
      Object.assign(member.status, { state: 'working', position: lease.position });
    } else if (member.status.state === 'working') member.status.state = 'standby';
  }
}

/** Reads the next events from the feed; from Postgres where it has a gap, and every now and then in any case. */
function frontReader({ pool, feed, timing, busHealthy }: Group) {
  let behind = true;
  let polledAtMs = Number.NEGATIVE_INFINITY;
  return async (from: number, waitAtMostMs: number): Promise<readonly RecordedEvent[]> => {
    const live = feed.from(from, BATCH_MAX);
    if (live.length > 0) return live;
    const pollMs = busHealthy() ? timing.pollMs : timing.pollDownMs;
    const due = performance.now() - polledAtMs >= pollMs;
    if (behind || due || feed.hasGapAt(from)) {
      polledAtMs = performance.now();
      const events = await readLog(pool, { from, limit: BATCH_MAX });
      behind = events.length === BATCH_MAX;
      if (events.length > 0) return events;
    }
    if (waitAtMostMs > 0) await feed.arrival(from, Math.min(pollMs, waitAtMostMs));
    return [];
  };
}

/** How long the group may wait for events: not longer than until its leases want to be looked at. */
function waitMs({ members, timing }: Group): number {
  const renewMs = timing.leaseMs / 3;
  return members.every(isHeld) ? renewMs : Math.min(renewMs, timing.standbyMs);
}

/** Another process has these now, or they were moved; the lease is asked for again. */
function lose({ members, log }: Group, { leases }: LeaseLost): void {
  for (const member of members) {
    if (!member.lease || !leases.includes(member.lease)) continue;
    member.lease = null;
    member.status.state = 'standby';
    log.info({ projection: member.projection.name }, 'another moved the checkpoint; looking again');
  }
}

async function stop(group: Group, member: Member, lease: Lease, error: unknown): Promise<void> {
  const { name } = member.projection;
  const position = positionOf(member) + 1;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  try {
    await stopFollower(group.pool, lease, `position ${position}: ${reason}`);
  } catch (failure) {
    if (failure instanceof LeaseLost) return lose(group, failure);
    throw failure;
  }
  member.lease = null;
  Object.assign(member.status, { state: 'stopped', failing: reason });
  group.log.error(
    { err: error, projection: name, position },
    'an event cannot be applied; the projection is stopped',
  );
}

/** SQLSTATE classes that say nothing about the events: rolled back, out of resources, locked, cancelled, system. */
const TRANSIENT_CODE = /^(40|53|55|57|58|25P03)/;

function isTransient(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return isUnavailable(error) || TRANSIENT_CODE.test(code);
}
