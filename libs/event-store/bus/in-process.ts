import {
  assertFollow,
  type Batch,
  type Bus,
  type Closable,
  type Consumption,
  type OnBatch,
  packBatches,
  readBatch,
  type Stored,
} from './bus.ts';

/** Kept for consumers that are late; older batches are a gap that they fill from Postgres. */
const BYTES_KEPT = 8 * 1024 * 1024;

/** The stored batches. A reset replaces the object. */
interface Stream {
  kept: { readonly batch: Batch; readonly bytes: number }[];
  bytes: number;
  /** Number of the first one kept. */
  first: number;
  last: Stored | null;
}

const empty = (): Stream => ({ kept: [], bytes: 0, first: 0, last: null });

/** The bus of one process: the same guarantees as JetStream, kept in memory and gone with the process. */
export function createInProcessBus(options: { bytesKept?: number } = {}): Bus {
  const bytesKept = options.bytesKept ?? BYTES_KEPT;
  let stream = empty();
  let refused = 0;
  const watchers = new Set<OnBatch>();
  const nudged = new Set<() => void>();
  const arrivals = new Set<() => void>();
  const closing = new AbortController();
  let nudgeQueued = false;

  async function hand(batch: Batch, onBatch: OnBatch): Promise<boolean> {
    const taken = await onBatch(batch);
    if (!taken) refused++;
    return taken;
  }

  return {
    async publish(commands) {
      assertOpen(closing.signal);
      const packed = packBatches(commands);
      assertFollow(packed, stream.last?.position ?? null);
      for (const { payload, lastPosition: position, hash } of packed) {
        // Encoded and decoded: what could not be read over a network fails here too.
        const batch = readBatch(payload);
        if (!batch) throw new Error(`the batch that ends at ${position} cannot be read`);
        stream.kept.push({ batch, bytes: payload.length });
        stream.bytes += payload.length;
        stream.last = { position, hash };
        for (const onBatch of watchers) queueMicrotask(() => void hand(batch, onBatch));
      }
      trim(stream, bytesKept);
      for (const wake of [...arrivals]) wake();
    },
    async lastStored() {
      assertOpen(closing.signal);
      return stream.last;
    },
    async reset() {
      stream = empty();
    },
    async consume(consumption: Consumption) {
      const signal = AbortSignal.any([consumption.signal, closing.signal]);
      let next = consumption.from;
      let read: Stream | null = null;
      let sequence = 0;
      while (!signal.aborted) {
        if (read !== stream) {
          read = stream;
          sequence = read.first;
        }
        sequence = Math.max(sequence, read.first);
        const batch = read.kept[sequence - read.first]?.batch;
        if (!batch) {
          await arrival(arrivals, signal);
          continue;
        }
        sequence++;
        if (batch.lastPosition < next) continue;
        if (batch.firstPosition > next) consumption.onGap?.();
        if (await hand(batch, consumption.onBatch)) next = batch.lastPosition + 1;
      }
    },
    watch: async (onBatch) => register(watchers, onBatch),
    nudge() {
      if (nudgeQueued) return;
      nudgeQueued = true;
      setImmediate(() => {
        nudgeQueued = false;
        for (const handler of [...nudged]) handler();
      });
    },
    onNudge: (handler) => register(nudged, handler),
    onReconnect: () => ({ close() {} }),
    healthy: () => !closing.signal.aborted,
    dropped: () => refused,
    async close() {
      closing.abort();
    },
  };
}

function assertOpen(signal: AbortSignal): void {
  if (signal.aborted) throw new Error('the bus is closed');
}

function register<T>(handlers: Set<T>, handler: T): Closable {
  handlers.add(handler);
  return { close: () => handlers.delete(handler) };
}

/** At twice the limit, so that the copy is paid once per `bytesKept` bytes and not once per batch. */
function trim(stream: Stream, bytesKept: number): void {
  if (stream.bytes <= 2 * bytesKept) return;
  let surplus = 0;
  while (stream.bytes > bytesKept) stream.bytes -= stream.kept[surplus++]?.bytes ?? 0;
  stream.kept = stream.kept.slice(surplus);
  stream.first += surplus;
}

/** Resolves at the next publish or when `signal` aborts. */
function arrival(arrivals: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      arrivals.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    arrivals.add(wake);
    signal.addEventListener('abort', wake);
  });
}
