import type { Batch, Bus, Closable, CommandPlace } from '@reelbook/event-store/bus/bus';
import { proveEvents } from '@reelbook/event-store/hash-chain';
import { readBody } from '@reelbook/ledger/codec';
import type { AnyEvent, PlacedEvent } from '@reelbook/ledger/events';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';

/** Maximum queued batches while their hashes are read from the ledger; further ones are dropped. */
const WAITING_MAX = 64;

interface Received {
  readonly batch: Batch;
  readonly followed: readonly CommandPlace[];
  settle(taken: boolean): void;
}

/** Events of a command in order; empty for a command that is too large for the bus: read it from the ledger. */
type OnCommand = (events: readonly PlacedEvent[]) => void;

/**
 * Appended events from the bus, read once for all followed streams. A batch without a followed stream costs only its index
 * line; other batches are delivered after their hashes match the ledger. Any message may be lost.
 */
export interface LiveFeed {
  follow(stream: string, onCommand: OnCommand): Closable;
  close(): void;
}

export async function openLiveFeed(options: {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
}): Promise<LiveFeed> {
  const { pool, bus, log } = options;
  const followers = new Map<string, Set<OnCommand>>();
  let waiting: Received[] = [];
  let working = false;

  function onBatch(batch: Batch): Promise<boolean> | boolean {
    const followed = batch.commands.filter(({ stream }) => followers.has(stream));
    if (followed.length === 0 || waiting.length >= WAITING_MAX) return true;
    return new Promise((settle) => {
      waiting.push({ batch, followed, settle });
      if (!working) void work();
    });
  }

  /** Batches that arrive during a query form the next query. */
  async function work(): Promise<void> {
    working = true;
    while (waiting.length > 0) {
      const some = waiting;
      waiting = [];
      try {
        const proven = await proveEvents(
          pool,
          some.map(({ batch }) => batch),
        );
        for (const [index, one] of some.entries())
          one.settle(proven[index] != null && deliver(one));
      } catch (error) {
        log.warn({ err: error }, 'messages not compared with the ledger; dropped');
        for (const { settle } of some) settle(true);
      }
    }
    working = false;
  }

  function deliver({ batch, followed }: Received): boolean {
    const texts = batch.texts();
    for (const place of followed) {
      const first = place.firstPosition - batch.firstPosition;
      const last = place.lastPosition - batch.firstPosition;
      const events = read(texts.slice(first, last + 1), place, texts[last + 1]);
      if (!events) return false;
      for (const onCommand of followers.get(place.stream) ?? []) onCommand(events);
    }
    return true;
  }

  const watched = await bus.watch(onBatch).catch((error: unknown) => {
    log.warn({ err: error }, 'bus unavailable; pushes follow the comparison with the ledger');
    return null;
  });
  return {
    follow(stream, onCommand) {
      const all = followers.get(stream) ?? new Set();
      followers.set(stream, all.add(onCommand));
      return {
        close() {
          all.delete(onCommand);
          if (all.size === 0) followers.delete(stream);
        },
      };
    },
    close: () => watched?.close(),
  };
}

/**
 * The index line is not proven, the texts are: null if they are not one complete command of that stream. The command ends
 * where the `next` text starts another; after the last text of a batch the line is trusted.
 */
function read(
  texts: readonly Buffer[],
  of: CommandPlace,
  next: Buffer | undefined,
): PlacedEvent[] | null {
  if (texts.length === 0) return [];
  const bodies = texts.map((text) => readBody(String(text)));
  const meta = bodies[0]?.meta;
  const isOne = bodies.every((body, i) => body.stream === of.stream && (i === 0) === !!body.meta);
  const ends = next === undefined || readBody(String(next)).meta !== null;
  if (!meta || !isOne || !ends) return null;
  const { firstPosition } = of;
  return bodies.map(({ type, data, ...place }) => {
    return { ...place, meta, firstPosition, event: { type, data } as AnyEvent };
  });
}
