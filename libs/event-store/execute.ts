import type { Decider, LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import type { Rejection } from '@reelbook/ledger/rejections';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { Overloaded, startBatcher } from './batcher.ts';
import { claimKey, hashRequest } from './claim.ts';
import { type Lane, runLane } from './lane.ts';
import { startTipLoader, type Tip } from './read-stream.ts';
import type { Pending } from './settle.ts';

/** Commands that may wait for one stream: a player with more is told to slow down. */
const LANE_QUEUE_MAX = 1_000;
/** Tips kept in memory, the least recently used dropped first. A kept tip saves a read; it is never trusted. */
const TIPS_KEPT_MAX = 50_000;

/** One command on its way. `prepare` runs inside the loop, on the state that will be decided on. */
export interface Execution<State, Command, Event extends LedgerEvent> {
  readonly decider: Decider<State, Command, Event>;
  readonly stream: string;
  /** What may happen once: a text scoped to its actor, such as `command:player:<wallet>:<idempotency key>`. */
  readonly claim: string;
  /** The request as JSON: the same claim with another request is refused. */
  readonly request: unknown;
  readonly meta: { readonly correlation: string; readonly actor: string };
  /** Checks every guard, then fetches what the decision needs. Called again when the state has moved on. */
  prepare(state: State): Promise<Prepared<Command> | Rejection>;
}

export interface Prepared<Command> {
  readonly command: Command;
  /** The configuration version it was prepared under; null when it depends on none. */
  readonly configVersion: number | null;
}

export type Executed<State, Event> =
  | {
      readonly kind: 'done';
      readonly events: readonly PlacedEvent<Event>[];
      /** The state after it; null for a replayed answer, which is built from its events alone. */
      readonly state: State | null;
      readonly version: number;
      /** Position of its last event; 0 for a command that changed nothing. */
      readonly position: number;
      readonly replayed: boolean;
    }
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'key-reused' };

/** THE SPINE: every write of every service goes through `execute`. */
export interface Spine {
  /**
   * Claims, loads, prepares, decides, appends; on a conflict again from the load, bounded. Commands of one stream are
   * decided in order. Resolves after the commit. Throws `Overloaded`, or the database's error when it is away.
   */
  execute<State, Command, Event extends LedgerEvent>(
    execution: Execution<State, Command, Event>,
  ): Promise<Executed<State, Event>>;
  /** The state of a stream as the database has it now. */
  tip<State, Event extends LedgerEvent>(
    decider: Decider<State, never, Event>,
    stream: string,
  ): Promise<Tip<State>>;
  /** Takes no more commands and resolves when those it took are answered. */
  close(): Promise<void>;
}

export function startSpine(o: {
  pool: pg.Pool;
  /** Told after every commit: the position of the last event. */
  onAppended?: (position: number) => void;
  /** Told when an append found this process's configuration out of date; awaited before the next attempt. */
  onStaleConfig?: () => Promise<void>;
}): Spine {
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();
  const loadTip = startTipLoader(o.pool);
  const context = {
    pool: o.pool,
    loadTip,
    batcher: startBatcher(o.pool),
    tips: new LRUCache<string, Tip<unknown>>({ max: TIPS_KEPT_MAX }),
    onAppended: o.onAppended ?? (() => {}),
    onStaleConfig: o.onStaleConfig ?? (async () => {}),
  };
  let closing = false;

  function enqueue(pending: Pending): void {
    const { stream } = pending.execution;
    const lane = lanes.get(stream);
    if (lane) {
      if (lane.queue.length >= LANE_QUEUE_MAX) pending.reject(new Overloaded(stream));
      else lane.queue.push(pending);
      return;
    }
    const fresh: Lane = { stream, queue: [pending] };
    lanes.set(stream, fresh);
    const run = runLane(context, fresh, () => lanes.delete(stream)).finally(() => {
      running.delete(run);
    });
    running.add(run);
  }

  return {
    execute(execution) {
      if (closing) return Promise.reject(new Overloaded('closing'));
      return new Promise((resolve, reject) => {
        const pending = {
          execution: execution as unknown as Pending['execution'],
          claim: claimKey(execution.claim),
          requestHash: hashRequest(execution.request),
          askedAtMs: performance.now(),
          attempts: 0,
          settled: false,
          resolve(executed: unknown) {
            pending.settled = true;
            resolve(executed as Parameters<typeof resolve>[0]);
          },
          reject(error: unknown) {
            pending.settled = true;
            reject(error);
          },
        };
        enqueue(pending);
      });
    },
    tip: loadTip,
    async close() {
      closing = true;
      while (running.size > 0) await Promise.all(running);
      await context.batcher.idle();
    },
  };
}

export { Overloaded };
