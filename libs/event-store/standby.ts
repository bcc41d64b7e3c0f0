/**
 * READS OF A STANDBY: lists, exports and audits; never a command, or what decides about one. An answer is of one snapshot:
 *
 * - It has all that its caller knows: the ledger to that position, and what the read models made of it.
 * - Its last event is in the ledger of the leader, with the same hash, and so is everything before it. A standby shows events
 *   that its leader has not acknowledged, which the next leader may lack.
 * - It lacks no event that is older than LAG_MAX_S.
 *
 * Else the leader answers, and after every error: no error is of a standby.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Follower } from './checkpoint.ts';
import { isUnavailable, leaderOf, openPool, type Role, untilReplicated } from './db.ts';
import { readHead } from './read-log.ts';

const LAG_MAX_S = 10;
/** How long a read waits for what its caller knows. A job waits longer, because it reads for longer. */
const WAIT_MS = 200;
const JOB_WAIT_MS = 30_000;
const PAUSE_MS = 40;
/** Of a read that replay cancels: it is long, and its next try as well. */
const TRIES_MAX = 3;
/** A standby with a fault is examined again after this time. */
const EXAMINED_EVERY_MS = 1_000;
const SNAPSHOT_TIMEOUT_MS = 2_000;

/** As the console's API has it: the end of its ledger and what it lacks of the leader's, null if unknown, and why it is not used. */
interface State {
  readonly position: number | null;
  readonly behind_positions: number | null;
  readonly behind_s: number | null;
  readonly fault: string | null;
}

type Act<T> = (db: pg.Pool) => Promise<T>;
type Answer<T> = { readonly data: T; readonly position: number };
export type Standby = ReturnType<typeof openStandby>;

/** `followers`: the projections whose tables are read. `onFault`: it is not used any more, or again (null). */
export function openStandby(o: {
  readonly leader: pg.Pool;
  readonly url: string;
  readonly name: string;
  readonly max: number;
  readonly followers?: readonly Follower[];
  readonly waitMs?: number;
  readonly lagMaxS?: number;
  readonly noStatementTimeout?: boolean;
  onFault?(fault: string | null): void;
}) {
  const { leader, followers = [], waitMs = WAIT_MS, lagMaxS = LAG_MAX_S } = o;
  const pool = openPool({ ...o, name: `${o.name}-standby`, role: 'app', standby: true });
  const answered = { standby: 0, leader: 0 };
  let state: State = UNKNOWN;
  let examinedAtMs = Number.NEGATIVE_INFINITY;

  function note(now: State): void {
    if ((now.fault === null) !== (state.fault === null)) o.onFault?.(now.fault);
    state = now;
  }

  /** Null: the leader answers; `again`: the standby may in a moment. */
  async function attempt<T>(known: number, act: Act<T>): Promise<Answer<T> | string | null> {
    examinedAtMs = performance.now();
    try {
      return await inSnapshot(pool, followers, async (db, at) => {
        const isReached = at.reached >= known;
        const comparing = compare(leader, at, lagMaxS).catch(() => null);
        const [found, data] = await Promise.all([comparing, isReached ? act(db) : null]);
        if (!found) return null;
        note(found);
        if (found.fault !== null) return null;
        if (isReached) return { data: data as T, position: at.position };
        // Not a position that the leader lacks too, and no standby that is further behind than the wait.
        const isNear = known <= at.position + found.behind_positions;
        return isNear && found.behind_s * 1_000 <= waitMs ? 'again' : null;
      });
    } catch (error) {
      const { message, code } = error as Error & { readonly code?: unknown };
      if (CANCELLED.test(message) || code === '25P02') return 'cancelled';
      // Not a statement that took too long.
      if (isUnavailable(error) && code !== '57014') note({ ...UNKNOWN, fault: message });
      return null;
    }
  }

  async function examine(): Promise<State> {
    await attempt(Number.POSITIVE_INFINITY, async () => null);
    return state;
  }

  async function fromStandby<T>(known: number, act: Act<T>): Promise<Answer<T> | null> {
    const untilMs = performance.now() + waitMs;
    for (let cancelled = 0; state.fault === null; await sleep(PAUSE_MS)) {
      const found = await attempt(known, act);
      if (found === 'again' && performance.now() < untilMs) continue;
      if (found === 'cancelled' && ++cancelled < TRIES_MAX) continue;
      return typeof found === 'string' ? null : found;
    }
    if (performance.now() - examinedAtMs > EXAMINED_EVERY_MS) void examine();
    return null;
  }

  /**
   * Calls `act` with a snapshot that has `known`, or with the leader; `known` of null: only with the leader. Nothing that it
   * returns is later than `position`. It may be called again.
   */
  async function read<T>(known: number | null, act: Act<T>): Promise<Answer<T>> {
    const found = known === null ? null : await fromStandby(known, act);
    if (known !== null) answered[found ? 'standby' : 'leader']++;
    if (found) return found;
    for (;;) {
      const host = leaderOf(leader);
      const data = await act(leader);
      const { position } = await readHead(leader);
      // An old leader, which cannot confirm what it has; or operators have accepted the loss of what the caller knows.
      if (known !== null && position < known) await untilReplicated(leader);
      // Else each of the three may be of another server.
      if (host === undefined || host === leaderOf(leader)) return { data, position };
    }
  }

  /** For an export of hours, whose events are no later than its first answer: each statement is a read. */
  async function follow(known: number | null): Promise<pg.Pool> {
    const { position } = await read(known, readHead);
    const from = known === null ? null : Math.max(known, position);
    const query = async (...given: unknown[]) =>
      (await read(from, (db) => Reflect.apply(db.query, db, given) as Promise<unknown>)).data;
    return { query } as unknown as pg.Pool;
  }

  /** `answered`: the number of reads. `state` is of the last one. */
  return {
    url: o.url,
    read,
    follow,
    examine,
    answered,
    state: () => state,
    close: () => pool.end(),
  };
}

/** Replay needed what the read still used; then an earlier statement may have failed (25P02), or its connection has ended. */
const CANCELLED =
  /conflict with recovery|terminating connection|terminated unexpectedly|not queryable/;
const UNKNOWN: State = { position: null, behind_positions: null, behind_s: null, fault: null };

/** An audit needs three. */
const JOB_CONNECTIONS = 3;

/** For jobs and commands: calls `act` with a pool without time limits, and with a standby if `readUrl` is set. */
export async function withPools<T>(
  o: { url: string; readUrl?: string | null; role?: Role; name: string },
  act: (leader: pg.Pool, standby: Standby | null) => Promise<T>,
): Promise<T> {
  const shared = { ...o, role: o.role ?? 'app', max: JOB_CONNECTIONS, noStatementTimeout: true };
  const leader = openPool(shared);
  const { readUrl: url } = o;
  const standby = url ? openStandby({ ...shared, leader, url, waitMs: JOB_WAIT_MS }) : null;
  try {
    return await act(leader, standby);
  } finally {
    await Promise.all([leader.end(), standby?.close()]);
  }
}

/** `reached`: what the ledger and all followers have. */
type At = Record<'position' | 'reached', number> & { readonly hash: string; replica: boolean };

async function inSnapshot<T>(
  pool: pg.Pool,
  followers: readonly Follower[],
  act: (db: pg.Pool, at: At) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isDone = false;
  try {
    const [, { rows }] = await Promise.all([
      client.query('begin isolation level repeatable read read only'),
      client.query<At>({
        ...{ name: 'standby-snapshot', text: SNAPSHOT, query_timeout: SNAPSHOT_TIMEOUT_MS },
        values: [followers.map(({ name }) => name), followers.map(({ version }) => version)],
      } as pg.QueryConfig),
    ]);
    const [at] = rows;
    // A connection lasts through a promotion.
    if (!at?.replica) throw Object.assign(new Error('the database leads'), { code: '25006' });
    const result = await act(client as unknown as pg.Pool, at);
    await client.query('commit');
    isDone = true;
    return result;
  } finally {
    client.release(!isDone);
  }
}

const SNAPSHOT = `select position, encode(hash, 'hex') as hash, pg_is_in_recovery() as replica,
    least(position, (
      select min(coalesce(reached.position, 0)) from unnest($1::text[], $2::int[]) as follower(name, version)
        left join checkpoints as reached using (name, version))) as reached
  from ledger_head`;

/** Compares the end of a standby's ledger with the leader, which acknowledges an event some time after the standby shows it. */
async function compare(leader: pg.Pool, { position, hash }: At, lagMaxS: number) {
  for (let tries = 1; ; tries++) {
    const { rows } = await leader.query<{ head: number; same: boolean | null; age_s: number }>({
      ...{ name: 'compare-standby', text: COMPARED, values: [position, hash] },
    });
    const { head = 0, same = null, age_s: behind_s = 0 } = rows[0] ?? {};
    if (head < position && tries < TRIES_MAX) {
      await sleep(PAUSE_MS);
      continue;
    }
    const faults = [
      same === false && 'it has another ledger than the leader',
      head < position && 'it has events that the leader lacks',
      behind_s > lagMaxS && `it is more than ${lagMaxS} s behind`,
    ];
    const fault = faults.find((one) => one !== false) ?? null;
    return { position, behind_positions: head - position, behind_s, fault };
  }
}

const COMPARED = `select head.position as head, own.hash = decode($2, 'hex') as same,
    greatest(0, extract(epoch from clock_timestamp() - next.recorded_at))::float8 as age_s
  from ledger_head as head left join events as own on own.position = $1
    left join events as next on next.position = $1 + 1`;
