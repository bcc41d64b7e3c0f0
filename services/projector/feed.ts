import { setMaxListeners } from 'node:events';
import type { Bus, CommandMessage } from '@reelbook/bus/bus';
import { chainHash, readHash } from '@reelbook/event-store/chain';
import { readHead, toRecorded } from '@reelbook/event-store/read-log';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';

/** Newest events kept for the workers, parsed once for all of them. Whoever is further behind reads Postgres. */
const EVENTS_KEPT = 10_000;
const RETRY_WAIT_MS = 500;

/**
 * The newest events, as they come over the bus, without a hole. The bus is not trusted: a message counts only when its
 * bodies chain to the hashes of the book, and `applyBatch` compares the last of a batch with the book itself. So nothing
 * lost, doubled, late, foreign or forged can reach a read model.
 */
export interface Feed {
  /** Events from a position on, at most `limit`: none when they have not come, or are no longer kept. */
  from(position: number, limit: number): readonly RecordedEvent[];
  /** Whether events behind `position` are known, but not the one at it: it is in Postgres. */
  hasGapAt(position: number): boolean;
  /** Resolves when anything at or behind `position` came, after `timeoutMs`, or when the feed closes. */
  arrival(position: number, timeoutMs: number): Promise<void>;
  /** Drops what is kept, for it was found not to be the book's. */
  forget(): void;
  close(): Promise<void>;
}

/** Events that follow each other. */
interface Run {
  readonly events: RecordedEvent[];
  readonly hash: string;
}

export async function startFeed(o: {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
}): Promise<Feed> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // each worker that waits for an arrival is one
  const arrivals = new Set<(last: number) => void>();
  let run: Run | null = null;
  let refusing = false;
  let next = (await readHead(o.pool)).position + 1;

  async function accept(message: CommandMessage): Promise<void> {
    const last = lastOf(run);
    if (message.lastPosition <= last) return;
    const follows = run && message.firstPosition === last + 1;
    const before = follows ? run?.hash : await readHash(o.pool, message.firstPosition - 1);
    const events = before ? verify(message, before) : null;
    if (!events) {
      const { firstPosition, lastPosition } = message;
      const why = 'messages are not of this book or came without events; Postgres has them';
      if (!refusing) o.log.warn({ firstPosition, lastPosition }, why);
      refusing = true;
      return;
    }
    refusing = false;
    const hash = message.hashes.at(-1) ?? '';
    run = follows && run ? extend(run, events, hash) : { events, hash };
    next = message.lastPosition + 1;
    for (const arrived of [...arrivals]) arrived(message.lastPosition);
  }

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const { signal } = closing;
        await o.bus.consume({ name: 'projector', from: next, onMessage: accept, signal });
      } catch (error) {
        o.log.warn({ err: error }, 'cannot follow the bus; the workers read Postgres');
      }
      // Also when it ended by itself, as that of a bus which was closed does.
      await pause(RETRY_WAIT_MS, closing.signal);
    }
  }

  const following = follow();
  return {
    from(position, limit) {
      const first = run?.events[0]?.position;
      if (!run || first === undefined || position < first) return [];
      return run.events.slice(position - first, position - first + limit);
    },
    hasGapAt: (position) => (run?.events[0]?.position ?? 0) > position,
    arrival(position, timeoutMs) {
      if (closing.signal.aborted || lastOf(run) >= position) return Promise.resolve();
      return new Promise((resolve) => {
        const end = () => {
          arrivals.delete(arrived);
          clearTimeout(timer);
          closing.signal.removeEventListener('abort', end);
          resolve();
        };
        const arrived = (last: number) => {
          if (last >= position) end();
        };
        const timer = setTimeout(end, timeoutMs);
        arrivals.add(arrived);
        closing.signal.addEventListener('abort', end);
      });
    },
    forget() {
      run = null;
    },
    async close() {
      closing.abort();
      await following;
    },
  };
}

function lastOf(run: Run | null): number {
  return run?.events.at(-1)?.position ?? 0;
}

/** The events of a message, or null unless each body has the hash that it says and the book would give it. */
function verify(message: CommandMessage, before: string): RecordedEvent[] | null {
  let hash = before;
  for (const [index, body] of message.bodies.entries()) {
    hash = chainHash(hash, body);
    if (hash !== message.hashes[index]) return null;
  }
  if (message.bodies.length === 0) return null;
  return message.bodies.map((body, index) =>
    toRecorded({
      position: message.firstPosition + index,
      first_position: message.firstPosition,
      body,
      hash: message.hashes[index] ?? '',
    }),
  );
}

function extend(run: Run, events: readonly RecordedEvent[], hash: string): Run {
  run.events.push(...events);
  // At twice the bound, so that the copy is paid once per EVENTS_KEPT events.
  const kept = run.events.length > 2 * EVENTS_KEPT ? run.events.slice(-EVENTS_KEPT) : run.events;
  return { events: kept, hash };
}
