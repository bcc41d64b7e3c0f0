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
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type pg from 'pg';
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

/** A process that starts knows no head: it takes that of the stream of NATS, now or as soon as that responds. */
export async function compareWithBus(pool: pg.Pool, bus: Bus): Promise<void> {
  const look = async () => {
    const own = known.get(pool);
    const lost = await findLostEnd(pool, bus).catch(() => null);
    if (!own || !lost) return;
    own.lost = lost;
    await own.compare().catch(() => {});
  };
  bus.onReconnect(look);
  if (bus.healthy()) await look();
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

  async function examine(client: pg.PoolClient, since: number): Promise<Compared> {
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

  /** An open connection that fails is closed, and the idle ones with it. */
  async function compare(): Promise<void> {
    const client = await pool.connect();
    let fault: Error | undefined;
    try {
      // The restore of a ledger that went back may have a position that was seen before.
      const head = await examine(client, Math.max(0, seenTo - LOOKED_BACK));
      seenTo = head.position;
      if (head.position <= (own.head?.position ?? 0)) return;
      await untilReplicated(client).then(
        () => noteHead(pool, head),
        (error) => {
          fault = error;
        },
      );
    } catch (error) {
      fault = error as Error;
      throw error;
    } finally {
      client.release(fault);
    }
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
  signal.addEventListener('abort', () => clearInterval(timer));
}

interface Compared {
  readonly position: number;
  readonly hash: string;
  readonly epoch: number;
  readonly fault: Error | null;
}

/** `since`: the position after which a restore is looked for. */
async function readCompared(
  client: pg.PoolClient,
  place: Place | null,
  since: number,
): Promise<Compared> {
  const { rows } = await client.query({
    name: 'compare-head',
    text: `select head.position, encode(head.hash, 'hex') as hash, pg_is_in_recovery() as replica,
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
