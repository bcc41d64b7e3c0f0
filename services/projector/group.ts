import { setMaxListeners } from 'node:events';
import type { Batch, Bus } from '@reelbook/event-store/bus/bus';
import { type Lease, stopFollower } from '@reelbook/event-store/checkpoint';
import { isUnavailable } from '@reelbook/event-store/db';
import { proveEvents } from '@reelbook/event-store/hash-chain';
import {
  type LeasedWorker,
  startLeasedWorker,
  type Turn,
} from '@reelbook/event-store/leased-worker';
import { readHead, readLog, toRecorded } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Projection } from '@reelbook/projections/projection';
import { applyTogether, MemberFailed, NotInLedger } from '@reelbook/projections/run';
import { pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';

/** Newest events kept in memory, parsed once for all projections. A projection that is further behind reads Postgres. */
const EVENTS_KEPT = 10_000;
const RETRY_WAIT_MS = 500;

/**
 * The newest events from the bus, without a gap. The bus is not trusted: a batch counts only when its texts chain to the hash
 * that the ledger has at that position. So no lost, doubled, late, foreign or forged message can affect a projection.
 */
interface Feed {
  /** Events from a position on, at most `limit`: none when they have not come, or are no longer kept. */
  from(position: number, limit: number): readonly RecordedEvent[];
  /** Whether events after `position` are known, but not the one at it: it is in Postgres. */
  hasGapAt(position: number): boolean;
  /** Resolves when an event at or after `position` came, after `timeoutMs`, or when the feed closes. */
  arrival(position: number, timeoutMs: number): Promise<void>;
  /** Drops all kept events, after they were found not to be the ledger's. */
  forget(): void;
  close(): Promise<void>;
}

/** Consecutive events, from position `first` on; none yet after a command that was too large to carry. */
interface Run {
  readonly first: number;
  readonly events: RecordedEvent[];
}

export async function startFeed(options: {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
}): Promise<Feed> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one listener per projection that waits
  const arrivals = new Set<(last: number) => void>();
  let run: Run | null = null;
  let refusing = false;
  let next = (await readHead(options.pool)).position + 1;

  async function accept(batch: Batch): Promise<boolean> {
    const last = lastOf(run);
    const { firstPosition, lastPosition } = batch;
    if (lastPosition <= last) return true;
    const [hashes] = await proveEvents(options.pool, [batch]);
    const proven = hashes && read(batch, hashes);
    if (!proven) {
      const why = 'messages are not of this ledger; reading Postgres instead';
      if (!refusing) options.log.warn({ firstPosition, lastPosition }, why);
      refusing = true;
      return false;
    }
    refusing = false;
    if (proven.length === 0) run = { first: lastPosition + 1, events: [] };
    else {
      const fresh = proven.filter(({ position }) => position > last);
      const follows = run !== null && firstPosition <= last + 1;
      run = follows && run ? extend(run, fresh) : { first: fresh[0]?.position ?? 0, events: fresh };
    }
    next = lastPosition + 1;
    for (const arrived of [...arrivals]) arrived(lastPosition);
    return true;
  }

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const { signal } = closing;
        await options.bus.consume({ name: 'projector', from: next, onBatch: accept, signal });
      } catch (error) {
        options.log.warn({ err: error }, 'cannot follow the bus; reading Postgres instead');
      }
      // Also when it ended without an error, as on a closed bus.
      await pause(RETRY_WAIT_MS, closing.signal);
    }
  }

  const following = follow();
  return {
    from(position, limit) {
      if (!run || position < run.first) return [];
      return run.events.slice(position - run.first, position - run.first + limit);
    },
    hasGapAt: (position) => (run?.first ?? 0) > position,
    arrival(position, timeoutMs) {
      if (closing.signal.aborted || lastOf(run) >= position) return Promise.resolve();
      return new Promise((resolve) => {
        const end = () => {
          arrivals.delete(arrived);
          clearTimeout(timer);
          closing.signal.removeEventListener('abort', end);
          resolve();
        };
        const arrived = (last: number) => {
          if (last >= position) end();
        };
        const timer = setTimeout(end, timeoutMs);
        arrivals.add(arrived);
        closing.signal.addEventListener('abort', end);
      });
    },
    forget() {
      run = null;
    },
    async close() {
      closing.abort();
      await following;
    },
  };
}

function lastOf(run: Run | null): number {
  return run ? run.first + run.events.length - 1 : 0;
}

/** The texts are proven, the line is not: null if it assigns events to other commands than the texts do. */
function read(batch: Batch, hashes: readonly string[]): RecordedEvent[] | null {
  const texts = batch.texts();
  const rows = batch.commands.flatMap(({ firstPosition, lastPosition }) =>
    Array.from({ length: lastPosition - firstPosition + 1 }, (_, at) => {
      const position = firstPosition + at;
      const index = position - batch.firstPosition;
      const hash = hashes[index] ?? '';
      return { position, first_position: firstPosition, body: String(texts[index]), hash };
    }),
  );
  try {
    return toRecorded(hashes.length === 0 ? [] : rows);
  } catch {
    return null;
  }
}

function extend({ first, events }: Run, fresh: readonly RecordedEvent[]): Run {
  events.push(...fresh);
  // At twice the limit, so that the copy is paid once per EVENTS_KEPT events.
  const surplus = events.length > 2 * EVENTS_KEPT ? events.length - EVENTS_KEPT : 0;
  return { first: first + surplus, events: surplus > 0 ? events.slice(surplus) : events };
}

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
 * A group of projections with the same interval. Those at the same position are applied together: their events are read and
 * parsed once, and one transaction writes the rows of all of them and moves their checkpoints. A projection that is behind
 * (new, or failed) catches up alone, in smaller batches between those of the others, and joins them.
 *
 * Each projection has its own lease. Killed or paused between any two lines, the group leaves rows and checkpoints
 * unchanged; after it lost a lease it changes nothing there, because epoch or position no longer match. An event that
 * cannot be applied stops its projection at that event; errors that only mean that Postgres is away or busy are retried
 * until they succeed.
 */

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
    pool,
    log,
    timing,
    followers: members.map(({ projection }) => projection),
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
