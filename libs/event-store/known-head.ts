/**
 * THE HEAD THAT A PROCESS KNOWS, so that it notices a ledger that went back: restored from a backup, or continued by a standby
 * without the last events.
 *
 * - Known is only what the leader acknowledged: own appends, heads read from it once a standby has them, and what the stream of
 *   NATS ends with. The other events that a server shows may be lost with it.
 * - Each new connection is compared before its first statement, and one of the open ones every second. It is refused when it is
 *   of a standby, or when the ledger is shorter or has another event at the known position. Then nothing is read or written: the
 *   process is unready, as without a database.
 * - A restore that the process did not know (`LedgerRestored`) ends it, because its memory may have lost events and its stream
 *   of NATS is that of another epoch. Its supervisor starts it again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import pg from 'pg';
import type { Bus, Stored } from './bus/bus.ts';
import { isOther, untilReplicated } from './db.ts';
import { streamKey } from './execution.ts';
import { readHash } from './hash-chain.ts';

/** The connection is refused. Retried like an absent database, until operators restore the lost events or accept their loss. */
export class WentBack extends Error {
  override readonly name = 'WentBack';
}

/** An event, by its time (ISO 8601) or its hash (hex). The event of another ledger at its position has others. */
type Place = { readonly position: number } & (
  | { readonly time: string }
  | { readonly hash: string }
);

interface Known {
  head: Place | null;
  /** What the stream of NATS has and the ledger lacks. Own appends do not replace it. */
  lost: Place | null;
  /** The number of restores; null before the first connection. */
  epoch: number | null;
  compare(): Promise<void>;
}

const known = new WeakMap<object, Known>();

/** SQL. From the events: a process accepts a shorter ledger because of it, and a stored state can be changed. */
const epochAfter = (position: string) => `coalesce((
  select max((body->'data'->>'epoch')::int) from public.events
    where stream = '${streamKey(OPERATORS_STREAM)}' and type = 'LedgerRestored' and position > ${position}), 0)`;
const EVERY_MS = 1_000;
const LOOKED_BACK = 1_000;
/** A stream of NATS has no leader for some seconds after the loss of a server. */
const ANSWER_MS = 10_000;
const UNDEFINED_TABLE = '42P01';

/** The number of restores of the ledger, which is the epoch of the stream of NATS. */
export async function readEpoch(db: pg.Pool | pg.PoolClient): Promise<number> {
  const { rows } = await db.query<{ epoch: number }>(`select ${epochAfter('0')} as epoch`);
  return rows[0]?.epoch ?? 0;
}

/** What a restore lost: the events at these positions that are older than `before`. */
interface LostRange {
  readonly epoch: number;
  readonly from: number;
  readonly to: number;
  readonly before: string;
}

const lost = new WeakMap<object, Promise<readonly LostRange[]>>();

/** Of all restores. Read once: a later restore ends the process. */
export function readLost(pool: pg.Pool): Promise<readonly LostRange[]> {
  const known = lost.get(pool);
  if (known) return known;
  const read = pool
    .query<LostRange>(
      `select (data->>'epoch')::int as epoch, next.position as "from", (data->>'lostTo')::int8 as "to", next.recorded_at as before
        from (select position as at, body->'data' as data from public.events where stream = $1 and type = 'LedgerRestored') as restores
        join public.events as next on next.position = (data->>'position')::int8 + 1
        where (data->>'lostTo')::int8 >= next.position order by at`,
      [streamKey(OPERATORS_STREAM)],
    )
    .then(({ rows }) => rows);
  lost.set(pool, read);
  read.catch(() => lost.delete(pool));
  return read;
}

/** The end of an acknowledged append through a pool, or of what the leader has and a standby as well. */
export function noteHead(pool: object, head: Place): void {
  const own = known.get(pool);
  if (own && head.position > (own.head?.position ?? 0)) own.head = head;
}

/** Compares an open connection now. Throws if the ledger went back, or does not respond. */
export async function compareHead(pool: pg.Pool): Promise<void> {
  await known.get(pool)?.compare();
}

/** The end of the stream of NATS of this epoch, if the ledger lacks that event; else null. */
export async function findLostEnd(
  pool: pg.Pool,
  bus: Pick<Bus, 'lastStored'> | null,
): Promise<Stored | null> {
  const stored = await bus?.lastStored();
  if (!stored || (await readHash(pool, stored.position)) === stored.hash) return null;
  return stored;
}

/**
 * A process that starts knows no head: it takes that of the stream of NATS, at its start and after each reconnection, and repeats
 * this until both have answered and the ledger has that event. Resolves with the first answer, or without one after ANSWER_MS.
 */
export async function compareWithBus(pool: pg.Pool, bus: Bus, signal: AbortSignal): Promise<void> {
  const own = known.get(pool);
  if (!own) return;
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  let isLooking = false;
  const look = async (onAnswer = () => {}) => {
    if (isLooking) return;
    isLooking = true;
    while (isLooking && !signal.aborted) {
      try {
        // Also null, of a stream that was reset.
        own.lost = await bus.lastStored();
        onAnswer();
        await own.compare();
        isLooking = false;
      } catch {
        await pause(EVERY_MS);
      }
    }
  };
  bus.onReconnect(() => void look());
  if (!bus.healthy()) return;
  await Promise.race([new Promise<void>((resolve) => look(resolve)), pause(ANSWER_MS)]);
}

/**
 * Compares the connections of a pool, and looks for a restore until `signal` aborts. `fail` ends the process, with a restore that
 * it did not know.
 */
export function watchHead(
  pool: pg.Pool,
  { signal, fail }: { readonly signal: AbortSignal; fail(why: Error): void },
): void {
  const own: Known = { head: null, lost: null, epoch: null, compare };
  known.set(pool, own);
  let seenTo = 0;
  let confirming: pg.Client | null = null;
  let isConfirming = false;

  async function examine(client: pg.ClientBase, since: number): Promise<Compared> {
    const place = own.lost ?? own.head;
    const now = await readCompared(client, place, since);
    const isNew = own.epoch !== null && now.epoch > own.epoch;
    if (isNew && !signal.aborted) {
      own.epoch = now.epoch;
      const what = `the ledger was restored, epoch ${now.epoch}: this process has to start again`;
      fail(new WentBack(what));
    }
    if (now.fault !== null) throw now.fault;
    own.epoch ??= now.epoch;
    if (place === own.lost) own.lost = null;
    return now;
  }

  // The restore of a ledger that went back may have a position that was seen before.
  const since = () => Math.max(0, seenTo - LOOKED_BACK);

  /** An open connection that fails is closed, and the others with it. */
  async function compare(): Promise<void> {
    const client = await pool.connect();
    let fault: Error | undefined;
    let head: Compared;
    try {
      head = await examine(client, since());
      seenTo = head.position;
    } catch (error) {
      fault = error as Error;
      throw error;
    } finally {
      client.release(fault);
    }
    if (head.position <= (own.head?.position ?? 0)) return;
    if (!head.waits) noteHead(pool, head);
    else if (!isConfirming) await confirmHead();
  }

  /**
   * Outside of the pool: a wait that is cancelled takes its connection with it, and without a standby the pool gets no other one, so
   * nothing could be read.
   */
  async function confirmHead(): Promise<void> {
    isConfirming = true;
    const Client = (pool.options.Client ?? pg.Client) as typeof pg.Client;
    const client = confirming ?? new Client(pool.options);
    try {
      if (!confirming) await client.connect();
      confirming = client;
      const head = await examine(client, since());
      await untilReplicated(client);
      noteHead(pool, head);
    } catch {
      confirming = null;
    }
    if (!confirming || signal.aborted) void client.end().catch(() => {});
    isConfirming = false;
  }

  pool.options.verify = (client, done) => {
    examine(client, 0).then(
      () => done(),
      // A database without the schema is reported by readiness.
      (error) => done(error.code === UNDEFINED_TABLE ? undefined : error),
    );
  };
  // One at a time: on a busy machine each would open a connection of its own, and none would be ready within its time limit.
  let isComparing = false;
  const timer = setInterval(async () => {
    if (isComparing) return;
    isComparing = true;
    // The readiness of the process shows why it fails.
    await compare().catch(() => {});
    isComparing = false;
  }, EVERY_MS).unref();
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    void confirming?.end().catch(() => {});
  });
}

interface Compared {
  readonly position: number;
  readonly hash: string;
  readonly epoch: number;
  /** Whether its commits wait for a standby. */
  readonly waits: boolean;
  readonly fault: Error | null;
}

/** `since`: the position after which a restore is looked for. */
async function readCompared(
  client: pg.ClientBase,
  place: Place | null,
  since: number,
): Promise<Compared> {
  const { rows } = await client.query({
    name: 'compare-head',
    text: `select head.position, encode(head.hash, 'hex') as hash, pg_is_in_recovery() as replica,
        current_setting('synchronous_standby_names') <> '' as waits,
        ${epochAfter('$2::bigint')} as epoch, event.recorded_at as time, encode(event.hash, 'hex') as known
      from public.ledger_head as head left join public.events as event on event.position = $1`,
    values: [place?.position ?? 0, since],
  });
  const { replica, time, known, ...now } = rows[0];
  if (replica) return { ...now, fault: isOther('standby') };
  const isSame = !place || ('hash' in place ? place.hash === known : place.time === time);
  if (isSame) return { ...now, fault: null };
  const what =
    now.position < place.position
      ? `it ends at #${now.position}, and #${place.position} was known`
      : `it has another event at #${place.position} than before`;
  const fault = new WentBack(`the ledger went back: ${what}; run npm run reelbook -- restored`);
  return { ...now, fault };
}
