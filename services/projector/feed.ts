import { setMaxListeners } from 'node:events';
import type { Batch } from '@reelbook/event-store/bus/batch';
import type { Bus } from '@reelbook/event-store/bus/bus';
import { proveEvents } from '@reelbook/event-store/chain';
import { readHead, toRecorded } from '@reelbook/event-store/read-log';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';

/** Newest events kept in memory, parsed once for all projections. A projection that is further behind reads Postgres. */
const EVENTS_KEPT = 10_000;
const RETRY_WAIT_MS = 500;

/**
 * The newest events from the bus, without a gap. The bus is not trusted: a batch counts only when its texts chain to the hash
 * that the ledger has at that position. So no lost, doubled, late, foreign or forged message can affect a projection.
 */
export interface Feed {
  /** Events from a position on, at most `limit`: none when they have not come, or are no longer kept. */
  from(position: number, limit: number): readonly RecordedEvent[];
  /** Whether events after `position` are known, but not the one at it: it is in Postgres. */
  hasGapAt(position: number): boolean;
  /** Resolves when an event at or after `position` came, after `timeoutMs`, or when the feed closes. */
  arrival(position: number, timeoutMs: number): Promise<void>;
  /** Drops all kept events, after they were found not to be the ledger's. */
  forget(): void;
  close(): Promise<void>;
}

/** Consecutive events, from position `first` on; none yet after a command that was too large to carry. */
interface Run {
  readonly first: number;
  readonly events: RecordedEvent[];
}

export async function startFeed(options: {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
}): Promise<Feed> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one listener per projection that waits
  const arrivals = new Set<(last: number) => void>();
  let run: Run | null = null;
  let refusing = false;
  let next = (await readHead(options.pool)).position + 1;

  async function accept(batch: Batch): Promise<boolean> {
    const last = lastOf(run);
    const { firstPosition, lastPosition } = batch;
    if (lastPosition <= last) return true;
    const [hashes] = await proveEvents(options.pool, [batch]);
    const proven = hashes && read(batch, hashes);
    if (!proven) {
      const why = 'messages are not of this ledger; reading Postgres instead';
      if (!refusing) options.log.warn({ firstPosition, lastPosition }, why);
      refusing = true;
      return false;
    }
    refusing = false;
    if (proven.length === 0) run = { first: lastPosition + 1, events: [] };
    else {
      const fresh = proven.filter(({ position }) => position > last);
      const follows = run !== null && firstPosition <= last + 1;
      run = follows && run ? extend(run, fresh) : { first: fresh[0]?.position ?? 0, events: fresh };
    }
    next = lastPosition + 1;
    for (const arrived of [...arrivals]) arrived(lastPosition);
    return true;
  }

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const { signal } = closing;
        await options.bus.consume({ name: 'projector', from: next, onBatch: accept, signal });
      } catch (error) {
        options.log.warn({ err: error }, 'cannot follow the bus; reading Postgres instead');
      }
      // Also when it ended without an error, as on a closed bus.
      await pause(RETRY_WAIT_MS, closing.signal);
    }
  }

  const following = follow();
  return {
    from(position, limit) {
      if (!run || position < run.first) return [];
      return run.events.slice(position - run.first, position - run.first + limit);
    },
    hasGapAt: (position) => (run?.first ?? 0) > position,
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
  return run ? run.first + run.events.length - 1 : 0;
}

/** The texts are proven, the line is not: null if it assigns events to other commands than the texts do. */
function read(batch: Batch, hashes: readonly string[]): RecordedEvent[] | null {
  const texts = batch.texts();
  const rows = batch.commands.flatMap(({ firstPosition, lastPosition }) =>
    Array.from({ length: lastPosition - firstPosition + 1 }, (_, at) => {
      const position = firstPosition + at;
      const index = position - batch.firstPosition;
      const hash = hashes[index] ?? '';
      return { position, first_position: firstPosition, body: String(texts[index]), hash };
    }),
  );
  try {
    return toRecorded(hashes.length === 0 ? [] : rows);
  } catch {
    return null;
  }
}

function extend({ first, events }: Run, fresh: readonly RecordedEvent[]): Run {
  events.push(...fresh);
  // At twice the limit, so that the copy is paid once per EVENTS_KEPT events.
  const surplus = events.length > 2 * EVENTS_KEPT ? events.length - EVENTS_KEPT : 0;
  return { first: first + surplus, events: surplus > 0 ? events.slice(surplus) : events };
}
