/**
 * The publisher tails the ledger and hands every command to the bus, in order and once.
 *
 * It keeps nothing that it could not find again: where it goes on is what the bus has stored last. So it may be killed
 * between any two lines. One acts at a time, by a lease; a second one that believes that it still does is refused by
 * the bus, for its messages do not follow the last. While the bus is away the ledger goes on without it.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { LedgerCommand } from '@reelbook/bus/batch';
import { type Bus, OutOfOrder, type Stored } from '@reelbook/bus/bus';
import {
  acquireLease,
  advance,
  type Lease,
  LeaseLost,
  releaseLease,
  renewLeases,
} from '@reelbook/event-store/checkpoint';
import { type Alarm, createAlarm, pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import { readCommands } from './read-commands.ts';
import { ForeignStream, findStart } from './start.ts';

const PUBLISHER = { name: 'publisher', version: 1 } as const;

/** Longest rest after a turn that took long. */
const REST_MAX_MS = 50;

export interface Timing {
  /** Least time between two reads: under load commands gather meanwhile. One after a rest goes out at once. */
  readonly paceMs: number;
  /** Between looks at the ledger while nothing happens: from the first to the last, doubling. Nudges cut it short. */
  readonly pollMinMs: number;
  readonly pollMaxMs: number;
  readonly leaseMs: number;
  /** Between asks for the lease while another has it. */
  readonly standbyMs: number;
  /** Between savings of the checkpoint, which only matters to a stream that is lost. */
  readonly saveMs: number;
  /** After a failure: from the first to the last, doubling. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** How late it publishes what it has read: for tests, 0 in production. */
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
  retryMaxMs: 5_000,
  lagMs: 0,
};

export interface PublisherStatus {
  /** Whether this one holds the lease. */
  readonly acting: boolean;
  /** The last position known to be stored; null before the first look. */
  readonly position: number | null;
  readonly published: number;
  readonly rewinds: number;
  /** What keeps it from publishing, or null. */
  readonly failing: string | null;
  /** Whether that is a stream with events that the ledger does not have. */
  readonly foreignStream: boolean;
}

export interface Publisher {
  status(): PublisherStatus;
  close(): Promise<void>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Context {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly timing: Timing;
  readonly holder: string;
  readonly alarm: Alarm;
  readonly signal: AbortSignal;
  readonly status: Mutable<PublisherStatus>;
}

/** Starts publishing. `pool` has the role app. Closing finishes the batch in hand and lets the lease go. */
export async function startPublisher(o: {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly timing?: Partial<Timing>;
}): Promise<Publisher> {
  const closing = new AbortController();
  const alarm = createAlarm();
  const context: Context = {
    pool: o.pool,
    bus: o.bus,
    log: o.log,
    timing: { ...TIMING, ...o.timing },
    holder: `${hostname()}-${process.pid}-${randomUUID()}`,
    alarm,
    signal: closing.signal,
    status: {
      ...{ acting: false, position: null, published: 0, rewinds: 0 },
      ...{ failing: null, foreignStream: false },
    },
  };
  const listeners = [o.bus.onNudge(alarm.ring), o.bus.onReconnect(alarm.ring)];
  const running = run(context);
  return {
    status: () => ({ ...context.status }),
    async close() {
      closing.abort();
      alarm.ring();
      for (const listener of listeners) listener.close();
      await running;
    },
  };
}

async function run(context: Context): Promise<void> {
  const { pool, holder, timing, signal, status } = context;
  while (!signal.aborted) {
    try {
      const lease = await acquireLease(pool, { ...PUBLISHER, holder, leaseMs: timing.leaseMs });
      if (!lease) {
        // What kept it from publishing is another's to bear now: this one is well, and on standby.
        Object.assign(status, { failing: null, foreignStream: false });
        await pause(timing.standbyMs, signal);
        continue;
      }
      status.acting = true;
      await act(context, lease);
      await releaseLease(pool, lease);
    } catch (error) {
      report(context, error);
      await pause(timing.retryMaxMs, signal);
    } finally {
      status.acting = false;
    }
  }
}

/** Publishes until closing or until the lease is lost. */
async function act(context: Context, lease: Lease): Promise<void> {
  const { pool, timing, signal, status } = context;
  const saving = startSaving(context, lease);
  const read = startReading(pool);
  let pollMs = timing.pollMinMs;
  let retryMs = timing.retryMinMs;
  let place: Stored | null = null;
  status.position = null;
  while (!signal.aborted) {
    try {
      await saving.save();
      place ??= await findStart(context, saving.position());
      status.position = place.position;
      const begunAtMs = performance.now();
      const { commands, more } = await read(place);
      const last = commands.at(-1);
      if (last) {
        await publish(context, commands);
        place = { position: last.firstPosition + last.bodies.length - 1, hash: last.hash };
        status.position = place.position;
      }
      recovered(context);
      retryMs = timing.retryMinMs;
      if (more) continue;
      if (last) await rest(context, performance.now() - begunAtMs);
      const nudged = await context.alarm.wait(pollMs);
      pollMs = nudged || last ? timing.pollMinMs : Math.min(pollMs * 2, timing.pollMaxMs);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      place = null;
      status.position = null;
      report(context, error);
      await pause(retryMs, signal);
      retryMs = Math.min(retryMs * 2, timing.retryMaxMs);
    }
  }
  // Lost or away: whoever is next starts from what the bus has stored.
  await saving.save(true).catch(() => {});
}

async function publish(
  { bus, signal, status, timing }: Context,
  commands: readonly LedgerCommand[],
): Promise<void> {
  if (timing.lagMs > 0) await pause(timing.lagMs, signal);
  await bus.publish(commands);
  status.published += commands.length;
}

/** For what is left of its pace, or as long as the last turn took: on a busy machine fewer and fuller ones do more. */
async function rest({ timing, signal }: Context, tookMs: number): Promise<void> {
  await pause(Math.max(timing.paceMs - tookMs, Math.min(tookMs, REST_MAX_MS)), signal);
}

/** Reads the next commands while these are published, when there are more to come. */
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

interface Saving {
  /** Saves how far it came, or at least keeps the lease, every now and then. Throws `LeaseLost`. */
  save(now?: boolean): Promise<void>;
  /** What is known to be out, whatever became of the stream: saved, or published since. */
  position(): number;
}

function startSaving(context: Context, lease: Lease): Saving {
  const { pool, timing, status } = context;
  const { leaseMs } = timing;
  let saved = lease.position;
  let out = saved;
  let savedAtMs = performance.now();
  return {
    async save(now = false) {
      out = Math.max(out, status.position ?? 0);
      if (!now && performance.now() - savedAtMs < timing.saveMs) return;
      if (out > saved) {
        await advance(pool, [lease], { from: saved, to: out, leaseMs });
        saved = out;
      } else await renewLeases(pool, [lease], leaseMs);
      savedAtMs = performance.now();
    },
    position: () => out,
  };
}

/** Logs a failure once, however often it is tried again. Being out of order is none: it goes back and on. */
function report({ log, status }: Context, error: unknown): void {
  if (error instanceof OutOfOrder) {
    status.rewinds++;
    log.info({ reason: error.message }, 'out of order; going back to what is stored');
    return;
  }
  const failing = error instanceof Error ? error.message : String(error);
  status.foreignStream = error instanceof ForeignStream;
  if (failing !== status.failing && status.foreignStream) log.error({}, failing);
  else if (status.failing === null) log.warn({ err: error }, 'cannot publish; trying again');
  status.failing = failing;
}

function recovered({ log, status }: Context): void {
  if (status.failing === null) return;
  Object.assign(status, { failing: null, foreignStream: false });
  log.info({ position: status.position }, 'publishing again');
}
