import type { Decider, LedgerEvent } from '@reelbook/ledger/decider';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { Overloaded, startBatcher } from './append.ts';
import type { ClockFault } from './clock.ts';
import { type Executed, type Execution, hashKey, hashRequest, randomKey } from './execution.ts';
import {
  type CurrentState,
  foldedState,
  type StateLoader,
  startProver,
  startStateLoader,
} from './read-stream.ts';
import { type Pending, runQueue, type StreamQueue } from './stream-queue.ts';

/** Commands that may wait for one stream: further ones are refused as overloaded. */
const STREAM_QUEUE_MAX = 1_000;
/** States kept in memory, least recently used dropped first. A cached state saves a read; the append verifies its version. */
const STATES_KEPT_MAX = 50_000;

const NO_REQUEST_HASH = hashRequest(null);

/** THE COMMAND EXECUTOR: every write of every service goes through `execute`. */
export interface CommandExecutor {
  /**
   * Loads, prepares, decides, appends; after a conflict it starts again from the load, a limited number of times. Commands of
   * one stream are decided in order. Resolves after the commit. Throws `Overloaded`, `ClockSkew`, or the database's error when it
   * is away.
   */
  execute<State, Command, Event extends LedgerEvent>(
    execution: Execution<State, Command, Event>,
  ): Promise<Executed<State, Event>>;
  /** The state of a stream as the database has it now; by its events with `fromEvents`. */
  currentState<State, Event extends LedgerEvent>(
    decider: Decider<State, never, Event>,
    stream: string,
  ): Promise<CurrentState<State>>;
  /** Accepts no more commands and resolves when the accepted ones have their results. */
  close(): Promise<void>;
}

export function startExecutor(options: {
  pool: pg.Pool;
  /** Called after every commit: the position of the last event. */
  onAppended?: (position: number) => void;
  /** Called when an append found this process's configuration stale; awaited before the next attempt. */
  onStaleConfig?: () => Promise<void>;
  /** Called when an append was refused because the clocks differ, or when the ledger is ahead of them. */
  onClockFault?: (fault: ClockFault) => void;
  /** For operators' acts: they are decided on the events, and refused where the stored state differs from them. */
  fromEvents?: boolean;
  /** For all but players: a command that lost a race reserves its stream, so that it is decided a few times at most. */
  reserves?: boolean;
}): CommandExecutor {
  const queues = new Map<string, StreamQueue>();
  const running = new Set<Promise<void>>();
  const { pool, fromEvents = false, reserves = fromEvents } = options;
  const stored = startStateLoader(pool);
  const currentState: StateLoader = fromEvents
    ? (decider, stream) => foldedState(pool, decider, stream)
    : stored;
  const context = {
    pool,
    reserves,
    loadState: fromEvents ? startProver(pool) : stored,
    batcher: startBatcher(pool, options.onClockFault),
    states: fromEvents
      ? null
      : new LRUCache<string, CurrentState<unknown>>({ max: STATES_KEPT_MAX }),
    onAppended: options.onAppended ?? (() => {}),
    onStaleConfig: options.onStaleConfig ?? (async () => {}),
  };
  let closing = false;

  function enqueue(pending: Pending): void {
    const { stream } = pending.execution;
    const queue = queues.get(stream);
    if (queue) {
      if (queue.pending.length >= STREAM_QUEUE_MAX) pending.reject(new Overloaded(stream));
      else queue.pending.push(pending);
      return;
    }
    const fresh: StreamQueue = { stream, pending: [pending] };
    queues.set(stream, fresh);
    const run = runQueue(context, fresh, () => queues.delete(stream)).finally(() => {
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
          ...keyOf(execution),
          askedAtMs: performance.now(),
          attempts: 0,
          hasResult: false,
          resolve(executed: unknown) {
            pending.hasResult = true;
            resolve(executed as Parameters<typeof resolve>[0]);
          },
          reject(error: unknown) {
            pending.hasResult = true;
            reject(error);
          },
        };
        enqueue(pending);
      });
    },
    currentState,
    async close() {
      closing = true;
      while (running.size > 0) await Promise.all(running);
      await context.batcher.idle();
    },
  };
}

/** A command without an idempotency key gets a random one; its request is never compared. UUIDs are drawn in batches. */
function keyOf({
  idempotencyKey,
  request,
  stream,
}: Pick<Pending['execution'], 'idempotencyKey' | 'request' | 'stream'>) {
  return idempotencyKey === null
    ? { idempotencyKey: randomKey(stream), requestHash: NO_REQUEST_HASH }
    : { idempotencyKey: hashKey(idempotencyKey), requestHash: hashRequest(request) };
}

export { Overloaded };
