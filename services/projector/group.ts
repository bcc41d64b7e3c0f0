/**
 * A group of projections with the same interval. Those at the same position are applied together: their events are read and
 * parsed once, and one transaction writes the rows of all of them and moves their checkpoints. A projection that is behind
 * (new, or failed) catches up alone, in smaller batches between those of the others, and joins them.
 *
 * Each projection has its own lease. Killed or paused between any two lines, the group leaves rows and checkpoints
 * unchanged; after it lost a lease it changes nothing there, because epoch or position no longer match. An event that
 * cannot be applied stops its projection at that event; errors that only mean that Postgres is away or busy are retried
 * until they succeed.
 */
import { stopFollower } from '@reelbook/event-store/checkpoint';
import { isUnavailable } from '@reelbook/event-store/db';
import {
  type LeasedWorker,
  startLeasedWorker,
  type Turn,
} from '@reelbook/event-store/leased-worker';
import { readLog } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { applyTogether, MemberFailed, NotInLedger } from '@reelbook/projections/run';
import { pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import type { Feed } from './feed.ts';
import { CATCH_UP_MAX, type Held, isHeld, type Member, positionOf } from './member.ts';

/** Events applied in one transaction. */
const BATCH_MAX = 2_000;
/** The group pauses as long as its last transaction took, up to this: on a busy machine fewer, larger transactions do more. */
const REST_MAX_MS = 50;

export interface Timing {
  readonly leaseMs: number;
  /** Between attempts to take leases held by other processes, or of stopped projections. */
  readonly standbyMs: number;
  /** Between reads of Postgres while the bus brings nothing: it may be late, or the publisher away. */
  readonly pollMs: number;
  /** Between reads of Postgres while the bus is down. */
  readonly pollDownMs: number;
  /** Minimum time between two transactions: under load events gather meanwhile, and each commit carries many. */
  readonly paceMs: number;
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** Delay between reading and applying events: for tests, 0 in production. */
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
}

/** Works until it is closed, then releases its leases. */
export function startGroup(group: Group): LeasedWorker {
  const { pool, log, timing, members } = group;
  const readFront = frontReader(group);
  const memberOf = ({ name }: { readonly name: string }) => {
    const member = members.find(({ projection }) => projection.name === name);
    assert(member, `${name} is in this group`);
    return member;
  };
  const worker = startLeasedWorker({
    ...{ pool, log, timing, followers: members.map(({ projection }) => projection) },
    turn: (turn) => applyNext(group, turn, readFront),
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
      if (error instanceof NotInLedger) group.feed.forget();
      if (worker.status().failing === null) {
        const projections = members.filter(isHeld).map(({ projection }) => projection.name);
        log.warn({ err: error, projections }, 'applying failed; retrying');
      }
      return undefined;
    },
  });
  return worker;
}

async function applyNext(
  group: Group,
  turn: Turn,
  readFront: ReturnType<typeof frontReader>,
): Promise<void> {
  const behind = await catchUpOne(group, turn);
  const front = frontOf(group.members);
  const [first] = front;
  if (!first) {
    if (!behind) await pause(group.timing.standbyMs, turn.signal);
    return;
  }
  const events = await readFront(positionOf(first) + 1, behind ? 0 : waitMs(group));
  if (events.length > 0) await applyFront(group, turn, { front, events, mayRest: !behind });
}

/** The members that are furthest ahead, and are not to be applied alone. */
function frontOf(members: readonly Member[]): readonly Held[] {
  const ready = members.filter(isHeld).filter((one) => positionOf(one) >= one.aloneUntil);
  const furthest = Math.max(...ready.map(positionOf));
  return ready.filter((one) => positionOf(one) === furthest);
}

/** One batch of a member that is behind or alone. @returns whether there was one. */
async function catchUpOne(group: Group, turn: Turn): Promise<boolean> {
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
  await applyTo(group, turn, [lowest], events);
  return true;
}

const isAlone = (member: Member) => positionOf(member) < member.aloneUntil;

async function applyFront(
  group: Group,
  turn: Turn,
  options: {
    readonly front: readonly Held[];
    readonly events: readonly RecordedEvent[];
    readonly mayRest: boolean;
  },
): Promise<void> {
  const begunAtMs = performance.now();
  await applyTo(group, turn, options.front, options.events);
  const tookMs = performance.now() - begunAtMs;
  const restMs = Math.max(group.paceMs - tookMs, Math.min(tookMs, REST_MAX_MS));
  if (options.mayRest && options.events.length < BATCH_MAX) await pause(restMs, turn.signal);
}

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

/** Reads the next events from the feed; from Postgres where it has a gap, and regularly in any case. */
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

/** How long the group may wait for events: not longer than until its leases must be renewed or requested. */
function waitMs({ members, timing }: Group): number {
  const renewMs = timing.leaseMs / 3;
  return members.every(isHeld) ? renewMs : Math.min(renewMs, timing.standbyMs);
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
