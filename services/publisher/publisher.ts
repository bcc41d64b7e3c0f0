import {
  type Bus,
  type LedgerCommand,
  OutOfOrder,
  type Stored,
} from '@reelbook/event-store/bus/bus';
import { advance, type Lease } from '@reelbook/event-store/checkpoint';
import { untilReplicated } from '@reelbook/event-store/db';
import { readHash } from '@reelbook/event-store/hash-chain';
import { startLeasedWorker, TryAgain, type Turn } from '@reelbook/event-store/leased-worker';
import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { readHead } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { type Alarm, createAlarm, pause } from '@reelbook/runtime/alarm';
import { workerCheck } from '@reelbook/runtime/health';
import type { Logger } from '@reelbook/runtime/log';
import {
  measureStatus,
  observeCounter,
  openMetrics,
  type Registry,
} from '@reelbook/runtime/metrics';
import type { Service } from '@reelbook/runtime/service';
import { publisherLagMs } from '@reelbook/runtime/test-lag';
import { type InferResult, sql } from 'kysely';
import type pg from 'pg';

/** Events per read. Well above the maximum of one command, so that every read has a complete command. */
export const EVENTS_PER_READ = 2_000;

const EVENTS = tables
  .selectFrom('events')
  .select(['position', 'first_position', 'body', sql<string>`encode(hash, 'hex')`.as('hash')]);
type Row = InferResult<typeof EVENTS>[number];

/** A sealed body begins with its position and its stream: no join is needed. */
const BODY_START = /^\{"position":\d+,"stream":"([0-9A-Za-z-]+)"/;

/** Complete commands after a position, in order; `more`: others follow them. */
export async function readCommands(
  pool: pg.Pool,
  after: Stored,
): Promise<{ commands: readonly LedgerCommand[]; more: boolean }> {
  const page = EVENTS.where('position', '>', after.position)
    .orderBy('position')
    .limit(EVENTS_PER_READ);
  const rows = await rowsOf(pool, page, 'read-commands');
  // What a failover could lose is not published.
  if (rows.length > 0) await untilReplicated(pool);
  const more = rows.length === EVENTS_PER_READ;
  const groups: Row[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group?.[0]?.first_position === row.first_position) group.push(row);
    else groups.push([row]);
  }
  // The last one may be cut. Appends are atomic, so one that ends where the ledger ends is complete.
  if (more) groups.pop();
  assert(rows.length === 0 || groups.length > 0, 'a command is smaller than a read');
  let previousHash = after.hash;
  const commands = groups.map((group) => {
    const command = toCommand(group, previousHash);
    previousHash = command.hash;
    return command;
  });
  return { commands, more };
}

/** The nearest end of a command at or before a position; 0 before the first. */
async function endOfCommandBefore(pool: pg.Pool, position: number): Promise<number> {
  const next = await rowOf(pool, EVENTS.where('position', '=', position + 1));
  return next ? next.first_position - 1 : position;
}

function toCommand(rows: readonly Row[], previousHash: string): LedgerCommand {
  const first = rows[0];
  const last = rows.at(-1);
  const stream = first && BODY_START.exec(first.body)?.[1];
  assert(first && last && stream, `position ${first?.position} has a sealed event`);
  const { position: firstPosition } = first;
  const bodies = rows.map((row) => row.body);
  return { stream, firstPosition, bodies, previousHash, hash: last.hash };
}

/**
 * The most that is published to an empty stream. A follower that is further behind reads Postgres in any case; sending a
 * ledger from its beginning over a new server would only delay new events.
 */
export const EMPTY_STREAM_BACKLOG = 10_000;

/** The stream ends with events that the ledger does not have. Nothing is published until an operator decides. */
export class ForeignStream extends Error {
  override name = 'ForeignStream';
}

/**
 * The position after which to publish: the last one stored. A stream that is empty (new server, deleted, purged) begins at
 * what was published last, `saved`: its consumers have everything before it or find it in Postgres, and nothing is
 * published twice. Throws `ForeignStream` for one that is ahead of the ledger, as after a restore from a backup, or of
 * another ledger.
 */
export async function findStart(
  { pool, bus }: { readonly pool: pg.Pool; readonly bus: Pick<Bus, 'lastStored'> },
  saved: number,
): Promise<Stored> {
  const [stored, head] = [await bus.lastStored(), await readHead(pool)];
  if (stored) {
    if ((await readHash(pool, stored.position)) === stored.hash) return stored;
    throw new ForeignStream(
      `the stream ends at position ${stored.position} with hash ${stored.hash.slice(0, 16)}, which this ledger does not ` +
        `have (it ends at ${head.position}); an operator decides: npm run reelbook -- stream --help`,
    );
  }
  const wanted = Math.min(head.position, Math.max(saved, head.position - EMPTY_STREAM_BACKLOG, 0));
  const position = await endOfCommandBefore(pool, wanted);
  const hash = await readHash(pool, position);
  assert(hash, `the ledger has position ${position}`);
  return { position, hash };
}

/**
 * The publisher tails the ledger and publishes every command to the bus, in order and once.
 *
 * It has no state of its own: it continues after what the bus has stored last. So it may be killed between any two lines.
 * One publisher acts at a time, by a lease; the bus refuses one that wrongly believes that it still acts, because its
 * messages do not follow the last one. While the bus is away the ledger accepts appends.
 */

const PUBLISHER = { name: 'publisher', version: 1 } as const;

/**
 * Of the time that the last batch took: a batch costs the same for few commands as for many, and NATS and each of its readers as
 * much again. Until `restMaxMs`, the longest delay of a push.
 */
const REST = 39;

export interface Timing {
  /** Longest rest after a batch: under load commands gather meanwhile. One after a pause is published immediately. */
  readonly restMaxMs: number;
  /** Between reads of the ledger while nothing happens: from the first to the last value, doubling. Nudges cut it short. */
  readonly pollMinMs: number;
  readonly pollMaxMs: number;
  readonly leaseMs: number;
  /** Between requests for the lease while another process has it. */
  readonly standbyMs: number;
  /** Between saves of the checkpoint, which only matters after the stream was lost. */
  readonly saveMs: number;
  /** Pause after a failure: from the first to the last value, doubling. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** Delay between reading and publishing: for tests, 0 in production. */
  readonly lagMs: number;
}

const TIMING: Timing = {
  restMaxMs: 150,
  pollMinMs: 5,
  pollMaxMs: 1_000,
  leaseMs: 5_000,
  standbyMs: 2_000,
  saveMs: 1_000,
  retryMinMs: 100,
  // Shorter than the lease, which is kept meanwhile.
  retryMaxMs: 2_000,
  lagMs: 0,
};

interface PublisherStatus {
  /** Whether this process holds the lease. */
  readonly acting: boolean;
  /** The last position known to be stored; null before the first read. */
  readonly position: number | null;
  readonly published: number;
  readonly rewinds: number;
  /** Why it cannot publish, or null. */
  readonly failing: string | null;
  /** Whether the reason is a stream with events that the ledger does not have. */
  readonly foreignStream: boolean;
}

export interface Publisher {
  status(): PublisherStatus;
  close(): Promise<void>;
}

interface Context {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly timing: Timing;
  readonly alarm: Alarm;
}

/** Starts publishing. `pool` has the role app. Closing finishes the current batch and releases the lease. */
export function startPublisher(options: {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly timing?: Partial<Timing>;
}): Publisher {
  const { pool, bus, log } = options;
  const alarm = createAlarm();
  const timing = { ...TIMING, ...options.timing };
  const counts = { published: 0, rewinds: 0 };
  let tail: Tail | null = null;
  let foreign: string | null = null;
  const worker = startLeasedWorker({
    pool,
    log,
    followers: [PUBLISHER],
    timing: { ...timing, renewMs: timing.saveMs },
    onTaken(lease) {
      tail = openTail({ pool, bus, log, timing, alarm }, lease, counts);
    },
    onLost() {
      tail = null;
    },
    async turn(turn) {
      await tail?.publishNext(turn);
    },
    async save() {
      await tail?.save();
    },
    onFailure(error) {
      const before = worker.status().failing;
      foreign = error instanceof ForeignStream ? error.message : null;
      if (foreign !== null && foreign !== before) log.error({}, foreign);
      else if (before === null) log.warn({ err: error }, 'publishing failed; retrying');
      return undefined;
    },
  });
  const listeners = [bus.onNudge(alarm.ring), bus.onReconnect(alarm.ring)];
  return {
    status() {
      const { acting, failing } = worker.status();
      const position = tail?.position() ?? null;
      return {
        acting,
        failing,
        position,
        ...counts,
        foreignStream: foreign !== null && foreign === failing,
      };
    },
    async close() {
      const closed = worker.close();
      alarm.ring();
      for (const listener of listeners) listener.close();
      await closed;
    },
  };
}

/** The progress during one lease. */
interface Tail {
  /** Null before the first read, and after a failure. */
  position(): number | null;
  publishNext(turn: Turn): Promise<void>;
  /** Moves the checkpoint to what was published. Throws `LeaseLost`. */
  save(): Promise<void>;
}

function openTail(
  context: Context,
  lease: Lease,
  counts: { published: number; rewinds: number },
): Tail {
  const { pool, bus, log, timing, alarm } = context;
  const read = startReading(pool);
  let place: Stored | null = null;
  let saved = lease.position;
  /** The last position known to be published, even when the stream was lost. */
  let out = saved;
  let pollMs = timing.pollMinMs;

  async function save(): Promise<void> {
    if (out > saved)
      await advance(pool, [lease], { from: saved, to: out, leaseMs: timing.leaseMs });
    saved = out;
  }

  async function publish(commands: readonly LedgerCommand[], signal: AbortSignal): Promise<void> {
    if (timing.lagMs > 0) await pause(timing.lagMs, signal);
    await bus.publish(commands);
    counts.published += commands.length;
  }

  async function publishNext({ signal, done }: Turn): Promise<void> {
    place ??= await findStart(context, out);
    out = Math.max(out, place.position);
    const begunAtMs = performance.now();
    const { commands, more } = await read(place);
    const last = commands.at(-1);
    if (last) {
      await publish(commands, signal);
      place = { position: last.firstPosition + last.bodies.length - 1, hash: last.hash };
      out = Math.max(out, place.position);
    }
    done();
    if (more) return;
    const restMs = Math.min(REST * (performance.now() - begunAtMs), timing.restMaxMs);
    if (last) await pause(restMs, signal);
    const nudged = await alarm.wait(pollMs);
    pollMs = nudged || last ? timing.pollMinMs : Math.min(pollMs * 2, timing.pollMaxMs);
  }

  return {
    position: () => place?.position ?? null,
    save,
    async publishNext(turn) {
      try {
        await publishNext(turn);
      } catch (error) {
        place = null;
        if (!(error instanceof OutOfOrder)) throw error;
        counts.rewinds++;
        log.info(
          { reason: error.message },
          'out of order; restarting from the last stored position',
        );
        throw new TryAgain();
      }
    },
  };
}

/** Reads the next commands while these are published, if there are more. */
function startReading(pool: pg.Pool): (after: Stored) => ReturnType<typeof readCommands> {
  let ahead: { after: number; reading: ReturnType<typeof readCommands> } | null = null;
  return async (after) => {
    const reading = ahead?.after === after.position ? ahead.reading : readCommands(pool, after);
    ahead = null;
    const read = await reading;
    const last = read.commands.at(-1);
    if (read.more && last) {
      const position = last.firstPosition + last.bodies.length - 1;
      ahead = { after: position, reading: readCommands(pool, { position, hash: last.hash }) };
      ahead.reading.catch(() => {});
    }
    return read;
  };
}

/** The publisher's metrics, read on request. */
export function measurePublisher(status: () => PublisherStatus): Registry {
  const registry = openMetrics('publisher');
  measureStatus(registry, 'publisher', {
    status,
    figures: {
      leader: ['1 while this process holds the lease', ({ acting }) => acting],
      position: ['Last position known to be stored', ({ position }) => position],
      foreign_stream: [
        '1 while the stream has events that the ledger does not have, and nothing is published until an operator decides (`npm run reelbook -- stream`)',
        ({ foreignStream }) => foreignStream,
      ],
    },
  });
  observeCounter(registry, {
    name: 'reelbook_publisher_published_commands_total',
    help: 'Commands published',
    read: () => status().published,
  });
  observeCounter(registry, {
    name: 'reelbook_publisher_rewinds_total',
    help: 'Restarts from the last position stored on the bus',
    read: () => status().rewinds,
  });
  return registry;
}

/** The publisher as a part of a service: in its own process, or in the standalone. `pool` has the role app. */
export function addPublisher(
  service: Service,
  options: { readonly pool: pg.Pool; readonly bus: Bus },
): void {
  const { log, settings } = service;
  const timing = { lagMs: publisherLagMs(settings.testLag) };
  const { status, close } = startPublisher({ ...options, log, timing });
  const checks = [workerCheck('publishing', status)];
  service.add('publisher', { close, checks, registry: measurePublisher(status) });
  log.info('publishing');
}
