import {
  assertMessage,
  type Bus,
  type Closable,
  type CommandMessage,
  type Consumption,
  OutOfOrder,
  type Stored,
  type Watching,
} from './bus.ts';

/** Messages kept for consumers that are behind; older ones are a gap that they heal from Postgres. */
const MESSAGES_KEPT = 10_000;

/** The bus of one process: the same promises as JetStream, held in memory and gone with the process. */
export function createInProcessBus(o: { messagesKept?: number } = {}): Bus {
  const messagesKept = o.messagesKept ?? MESSAGES_KEPT;
  let stored: CommandMessage[] = [];
  let last: Stored | null = null;
  const watchers = new Map<string, Set<Watching>>();
  const nudged = new Set<() => void>();
  const arrivals = new Set<() => void>();
  const closing = new AbortController();
  let nudgeQueued = false;

  return {
    async publish(messages) {
      assertOpen(closing.signal);
      for (const message of messages) {
        assertMessage(message);
        if (last && message.firstPosition !== last.position + 1) {
          throw new OutOfOrder(`${message.firstPosition} does not follow ${last.position}`);
        }
        last = { position: message.lastPosition, hash: message.hashes.at(-1) ?? '' };
        stored.push(message);
        for (const watching of watchers.get(subject(message)) ?? []) {
          queueMicrotask(() => watching.onMessage(message));
        }
      }
      // Twice the bound, so that the copy is paid once per `messagesKept` messages and not once per message.
      if (stored.length > 2 * messagesKept) stored = stored.slice(-messagesKept);
      for (const wake of [...arrivals]) wake();
    },
    async lastStored() {
      assertOpen(closing.signal);
      return last;
    },
    async reset() {
      stored = [];
      last = null;
    },
    async consume(consumption) {
      const signal = AbortSignal.any([consumption.signal, closing.signal]);
      let next = consumption.from;
      while (!signal.aborted) {
        const message = firstFrom(stored, next);
        if (!message) await arrival(arrivals, signal);
        else next = await hand(message, next, consumption);
      }
    },
    async watch(watching) {
      const key = subject(watching);
      const group = watchers.get(key) ?? new Set();
      watchers.set(key, group.add(watching));
      return {
        close: () => {
          group.delete(watching);
          if (group.size === 0) watchers.delete(key);
        },
      };
    },
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
    async close() {
      closing.abort();
    },
  };
}

function subject(o: { kind: string; id: string }): string {
  return `${o.kind}.${o.id}`;
}

function assertOpen(signal: AbortSignal): void {
  if (signal.aborted) throw new Error('the bus is closed');
}

function register(handlers: Set<() => void>, handler: () => void): Closable {
  handlers.add(handler);
  return { close: () => handlers.delete(handler) };
}

/** The first message that holds `position` or lies behind it: positions ascend, so by halves. */
function firstFrom(
  stored: readonly CommandMessage[],
  position: number,
): CommandMessage | undefined {
  let low = 0;
  let high = stored.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stored[middle] as CommandMessage).lastPosition < position) low = middle + 1;
    else high = middle;
  }
  return stored[low];
}

async function hand(message: CommandMessage, next: number, to: Consumption): Promise<number> {
  if (message.firstPosition > next) to.onGap?.();
  await to.onMessage(message);
  return message.lastPosition + 1;
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
