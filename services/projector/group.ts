import type { Bus } from '@reelbook/event-store/bus/bus';
import { type Lease, stopFollower } from '@reelbook/event-store/checkpoint';
import { isUnavailable } from '@reelbook/event-store/db';
import {
  type LeasedWorker,
  startLeasedWorker,
  type Turn,
} from '@reelbook/event-store/leased-worker';
import { readLog } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Projection } from '@reelbook/projections/projection';
import { applyTogether, MemberFailed } from '@reelbook/projections/run';
import { type Alarm, createAlarm, pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';

/** Events of one transaction for a projection that is behind its group: the others wait for it. */
const CATCH_UP_MAX = 500;

export interface ProjectionStatus {
  readonly name: string;
  /** `standby`: another process holds the lease. */
  readonly state: 'standby' | 'working' | 'stopped';
  readonly position: number | null;
  /** What is retried, or why it stopped; null otherwise. */
  readonly failing: string | null;
}

/** A projection of the group in this process. */
export interface Member {
  readonly projection: Projection;
  /** `failing`: why it stopped. What is retried is in the status of the group's worker. */
  readonly status: { -readonly [K in keyof ProjectionStatus]: ProjectionStatus[K] };
  /** Null while another process has it, or the projection is stopped. */
  lease: Lease | null;
  /** Last position of a batch that it failed on: up to there it is applied alone, `limit` events at a time. */
  aloneUntil: number;
  limit: number;
}

type Held = Member & { readonly lease: Lease };

export function createMember(projection: Projection): Member {
  const status = {
    name: projection.name,
    state: 'standby',
    position: null,
    failing: null,
  } as const;
  return { projection, status: { ...status }, lease: null, aloneUntil: 0, limit: CATCH_UP_MAX };
}

export function isHeld(member: Member): member is Held {
  return member.lease !== null;
}

function positionOf({ status }: Member): number {
  return status.position ?? 0;
}

/**
 * A group of projections. Those at the same position are applied together: their events are read and parsed once, and one
 * transaction writes the rows of all of them and moves their checkpoints. A projection that is behind (new, or failed)
 * catches up alone, in smaller batches between those of the others, and joins them.
 *
 * Each projection has its own lease. Killed or paused between any two lines, the group leaves rows and checkpoints
 * unchanged; after it lost a lease it changes nothing there, because epoch or position no longer match. An event that
 * cannot be applied stops its projection at that event; errors that only mean that Postgres is away or busy are retried
 * until they succeed.
 */

/** Events applied in one transaction. */
const BATCH_MAX = 2_000;
/** Of the time that the last transaction took: the group works a fifteenth of the time, until the longest rest or a backlog is reached. */
const REST = 14;
/** After fewer events the longest rest is longer: with them a transaction costs as much. */
const FEW_EVENTS = 300;
const FEW_REST = 1.7;

export interface Timing {
  readonly leaseMs: number;
  /** Between attempts to take leases held by other processes, or of stopped projections. */
  readonly standbyMs: number;
  /** Between reads of the ledger without a nudge, which may be lost. */
  readonly pollMs: number;
  /** Longest rest after a transaction. Under load events gather meanwhile: a transaction costs the same for few as for many. */
  readonly restMaxMs: number;
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** Delay between reading and applying events: for tests, 0 in production. */
  readonly lagMs: (projection: string) => number;
}

export interface Group {
  readonly members: readonly Member[];
  readonly lagMs: number;
  readonly pool: pg.Pool;
  readonly bus: Pick<Bus, 'onNudge'>;
  readonly log: Logger;
  readonly timing: Timing;
}

/** Works until it is closed, then releases its leases. */
export function startGroup(group: Group): LeasedWorker {
  const { pool, log, timing, members } = group;
  const alarm = createAlarm();
  const nudges = group.bus.onNudge(alarm.ring);
  const memberOf = ({ name }: { readonly name: string }) => {
    const member = members.find(({ projection }) => projection.name === name);
    assert(member, `${name} is in this group`);
    return member;
  };
  const worker = startLeasedWorker({
    pool,
    log,
    timing,
    followers: members.map(({ projection }) => projection),
    turn: (turn) => applyNext(group, turn, alarm),
    onTaken(lease) {
      const member = memberOf(lease);
      Object.assign(member, { lease, aloneUntil: 0, limit: CATCH_UP_MAX });
      Object.assign(member.status, { state: 'working', position: lease.position, failing: null });
    },
    onLost(lease) {
      const member = memberOf(lease);
      member.lease = null;
      member.status.state = 'standby';
    },
    onFailure(error) {
      if (worker.status().failing === null) {
        const projections = members.filter(isHeld).map(({ projection }) => projection.name);
        log.warn({ err: error, projections }, 'applying failed; retrying');
      }
      return undefined;
    },
  });
  return {
    status: worker.status,
    close() {
      const closed = worker.close();
      nudges.close();
      alarm.ring();
      return closed;
    },
  };
}

async function applyNext(group: Group, turn: Turn, alarm: Alarm): Promise<void> {
  const behind = await catchUpOne(group, turn);
  const front = frontOf(group.members);
  const [first] = front;
  if (!first) {
    if (!behind) await pause(group.timing.standbyMs, turn.signal);
    return;
  }
  const begunAtMs = performance.now();
  const events = await readLog(group.pool, { from: positionOf(first) + 1, limit: BATCH_MAX });
  if (events.length > 0) await applyTo(group, turn, front, events);
  if (behind || events.length === BATCH_MAX) return;
  if (events.length === 0) await alarm.wait(waitMs(group));
  else {
    const tookMs = performance.now() - begunAtMs;
    const restMaxMs = group.timing.restMaxMs * (events.length < FEW_EVENTS ? FEW_REST : 1);
    await pause(Math.min(REST * tookMs, restMaxMs), turn.signal);
  }
}

/** The members that are furthest ahead, and are not to be applied alone. */
function frontOf(members: readonly Member[]): readonly Held[] {
  const ready = members.filter(isHeld).filter((one) => positionOf(one) >= one.aloneUntil);
  const furthest = Math.max(...ready.map(positionOf));
  return ready.filter((one) => positionOf(one) === furthest);
}

/** One batch of a member that is behind or alone. @returns whether there was one. */
async function catchUpOne(group: Group, turn: Turn): Promise<boolean> {
  const { members, pool } = group;
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
  const events = await readLog(pool, { from, limit });
  if (events.length === 0) return false;
  await applyTo(group, turn, [lowest], events);
  return true;
}

const isAlone = (member: Member) => positionOf(member) < member.aloneUntil;

/** Applies events to members; one that cannot apply them leaves the others. Throws errors that concern all of them. */
async function applyTo(
  group: Group,
  turn: Turn,
  members: readonly Held[],
  events: readonly RecordedEvent[],
): Promise<void> {
  const { pool, timing, log } = group;
  const last = events.at(-1)?.position ?? 0;
  if (group.lagMs > 0) await pause(group.lagMs, turn.signal);
  try {
    await applyTogether(pool, { members, events, leaseMs: timing.leaseMs });
  } catch (error) {
    if (!(error instanceof MemberFailed) || isTransient(error.cause)) throw error;
    const failed = members.find(({ projection }) => projection === error.projection);
    if (!failed) throw error;
    if (events.length === 1) return stop(group, turn, failed, error.cause);
    // By halves to the event that it cannot apply; everything before it is applied.
    failed.aloneUntil = Math.max(failed.aloneUntil, last);
    failed.limit = Math.floor(events.length / 2);
    log.warn(
      { err: error.cause, projection: failed.projection.name },
      'a batch failed; halving it',
    );
    return;
  }
  turn.done();
  for (const member of members) {
    member.status.position = last;
    if (last >= member.aloneUntil) member.limit = CATCH_UP_MAX;
  }
}

/** How long the group may wait for a nudge: not longer than until its leases must be renewed or requested. */
function waitMs({ members, timing }: Group): number {
  const waitMs = Math.min(timing.pollMs, timing.leaseMs / 3);
  return members.every(isHeld) ? waitMs : Math.min(waitMs, timing.standbyMs);
}

async function stop(group: Group, turn: Turn, member: Held, error: unknown): Promise<void> {
  const { name } = member.projection;
  const position = positionOf(member) + 1;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  await stopFollower(group.pool, member.lease, `position ${position}: ${reason}`);
  turn.drop(member.lease);
  Object.assign(member, { lease: null });
  Object.assign(member.status, { state: 'stopped', failing: reason });
  group.log.error(
    { err: error, projection: name, position },
    'an event cannot be applied; the projection is stopped',
  );
}

/** SQLSTATE classes that do not depend on the events: rolled back, out of resources, locked, cancelled, system. */
const TRANSIENT_CODE = /^(40|53|55|57|58|25P03)/;

function isTransient(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return isUnavailable(error) || TRANSIENT_CODE.test(code);
}
