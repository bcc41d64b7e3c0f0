/**
 * THE HEAD THAT A PROCESS KNOWS, so that it notices a ledger that went back: restored from a backup, or continued by a standby
 * without the last events.
 *
 * - Known is only what the leader acknowledged: own appends, and heads read from it. A standby may have events that the next
 *   leader lacks, and one that is behind is not compared.
 * - A ledger goes back only behind a new connection, because every connection ends with its server. Each new one is compared
 *   before its first statement, and refused when the ledger is shorter or has another event at the known position. Then
 *   nothing is read or written: the process is unready, as without a database.
 * - A restore that the process did not know (`LedgerRestored`) ends it, because its memory may have lost events and its stream
 *   of NATS is that of another epoch. Its supervisor starts it again.
 */
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { streamKey } from './execution.ts';

/** The connection is refused. Retried like an absent database, until operators restore the lost events or accept their loss. */
export class WentBack extends Error {
  override readonly name = 'WentBack';
}

/** The last event of a command. The event of another ledger at its position has another time. */
interface Place {
  readonly position: number;
  /** ISO 8601; null in an empty ledger. */
  readonly time: string | null;
}

interface Known {
  head: Place;
  /** The number of restores; null before the first connection. */
  epoch: number | null;
}

const known = new WeakMap<object, Known>();

/** SQL. From the events: a process accepts a shorter ledger because of it, and a stored state can be changed. */
const epochAfter = (position: string) => `coalesce((
  select max((body->'data'->>'epoch')::int) from public.events
    where stream = '${streamKey(OPERATORS_STREAM)}' and type = 'LedgerRestored' and position > ${position}), 0)`;
const POLL_MS = 1_000;
/** The restore of a ledger that went back may have a position that was polled before. */
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

/** The end of an acknowledged append through a pool, or of the ledger as the leader has it. */
export function noteHead(pool: object, head: Place): void {
  const own = known.get(pool);
  if (own && head.position > own.head.position) own.head = head;
}

/**
 * Compares every new connection of a pool, and polls for a restore until `signal` aborts. `fail` ends the process, with a restore
 * that it did not know.
 */
export function watchHead(
  pool: pg.Pool,
  { signal, fail }: { readonly signal: AbortSignal; fail(why: Error): void },
): void {
  const own: Known = { head: { position: 0, time: null }, epoch: null };
  known.set(pool, own);
  const noteEpoch = (epoch: number) => {
    if (signal.aborted || own.epoch === null || epoch <= own.epoch) return;
    own.epoch = epoch;
    fail(new WentBack(`the ledger was restored, epoch ${epoch}: this process has to start again`));
  };
  pool.options.verify = (client, done) => {
    compare(client, own.head).then(
      ({ epoch, fault }) => {
        noteEpoch(epoch);
        if (fault === null) own.epoch ??= epoch;
        done(fault ?? undefined);
      },
      // A database without the schema is reported by readiness.
      (error) => done(error.code === UNDEFINED_TABLE ? undefined : error),
    );
  };
  let polledTo = 0;
  const poll = async () => {
    const { rows } = await pool.query<Pick<Compared, 'position' | 'epoch'>>({
      name: 'known-epoch',
      text: `select position, ${epochAfter('$1::bigint')} as epoch from public.ledger_head`,
      values: [Math.max(0, polledTo - LOOKED_BACK)],
    });
    noteEpoch(rows[0]?.epoch ?? 0);
    polledTo = rows[0]?.position ?? 0;
  };
  // The readiness of the process shows why it fails.
  // One at a time: on a busy machine each would open a connection of its own, and none would be ready within its time limit.
  let isPolling = false;
  const timer = setInterval(async () => {
    if (isPolling) return;
    isPolling = true;
    await poll().catch(() => {});
    isPolling = false;
  }, POLL_MS).unref();
  signal.addEventListener('abort', () => clearInterval(timer));
}

interface Compared extends Place {
  readonly replica: boolean;
  readonly epoch: number;
}

async function compare(
  client: pg.PoolClient,
  { position, time }: Place,
): Promise<{ readonly epoch: number; readonly fault: WentBack | null }> {
  const { rows } = await client.query<Compared>(
    `select position, pg_is_in_recovery() as replica, ${epochAfter('0')} as epoch,
        (select recorded_at from public.events where position = $1) as time
      from public.ledger_head`,
    [position],
  );
  const [now = { position: 0, time: null, replica: false, epoch: 0 }] = rows;
  const { epoch } = now;
  if (position === 0 || now.replica || now.time === time) return { epoch, fault: null };
  const what =
    now.position < position
      ? `it ends at #${now.position}, and #${position} was known`
      : `it has another event at #${position} than before`;
  const fault = new WentBack(`the ledger went back: ${what}; run npm run reelbook -- restored`);
  return { epoch, fault };
}
