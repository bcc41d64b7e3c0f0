/**
 * The publisher tails the ledger and publishes every command to the bus, in order and once.
 *
 * It has no state of its own: it continues after what the bus has stored last. So it may be killed between any two lines.
 * One publisher acts at a time, by a lease; the bus refuses one that wrongly believes that it still acts, because its
 * messages do not follow the last one. While the bus is away the ledger accepts appends.
 */
import type { LedgerCommand } from '@reelbook/event-store/bus/batch';
import { type Bus, OutOfOrder, type Stored } from '@reelbook/event-store/bus/bus';
import { advance, type Lease } from '@reelbook/event-store/checkpoint';
import { startLeasedWorker, TryAgain, type Turn } from '@reelbook/event-store/leased-worker';
import { type Alarm, createAlarm, pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import { readCommands } from './read-commands.ts';
import { ForeignStream, findStart } from './start.ts';

const PUBLISHER = { name: 'publisher', version: 1 } as const;

/** Longest pause after a turn that took long. */
const REST_MAX_MS = 50;

export interface Timing {
  /** Minimum time between two reads: under load commands gather meanwhile. One after a pause is published immediately. */
  readonly paceMs: number;
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
  paceMs: 10,
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

export interface PublisherStatus {
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
    ...{ pool, log, followers: [PUBLISHER] },
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
    if (last) await rest(timing, performance.now() - begunAtMs, signal);
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

/** For the rest of the minimum interval, or as long as the last turn took: on a busy machine fewer, larger turns do more. */
async function rest({ paceMs }: Timing, tookMs: number, signal: AbortSignal): Promise<void> {
  await pause(Math.max(paceMs - tookMs, Math.min(tookMs, REST_MAX_MS)), signal);
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
