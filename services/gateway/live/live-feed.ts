import type { Batch, CommandPlace } from '@reelbook/event-store/bus/batch';
import type { Bus, Closable } from '@reelbook/event-store/bus/bus';
import { proveEvents } from '@reelbook/event-store/chain';
import { readBody } from '@reelbook/ledger/codec';
import type { AnyEvent, PlacedEvent } from '@reelbook/ledger/events';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';

/** Batches that may wait while the ledger is asked for their hashes; more are dropped. */
const WAITING_MAX = 64;

interface Heard {
  readonly batch: Batch;
  readonly concerned: readonly CommandPlace[];
  answer(taken: boolean): void;
}

/** A command of a stream, in order; nothing for one that is too large to carry: read it from the ledger. */
type OnCommand = (events: readonly PlacedEvent[]) => void;

/**
 * What is appended, as it passes on the bus: read once for all streams that are followed here. A batch that concerns none
 * of them costs its line alone; of the others only what the ledger has is handed over. It may lose anything.
 */
export interface LiveFeed {
  follow(stream: string, onCommand: OnCommand): Closable;
  close(): void;
}

export async function openLiveFeed(o: {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
}): Promise<LiveFeed> {
  const { pool, bus, log } = o;
  const followers = new Map<string, Set<OnCommand>>();
  let waiting: Heard[] = [];
  let working = false;

  function hear(batch: Batch): Promise<boolean> | boolean {
    const concerned = batch.commands.filter(({ stream }) => followers.has(stream));
    if (concerned.length === 0 || waiting.length >= WAITING_MAX) return true;
    return new Promise((answer) => {
      waiting.push({ batch, concerned, answer });
      if (!working) void work();
    });
  }

  /** All that came while the ledger was asked are the next question. */
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
        for (const [index, one] of some.entries()) one.answer(proven[index] != null && hand(one));
      } catch (error) {
        log.warn({ err: error }, 'messages were not compared with the ledger, and are dropped');
        for (const { answer } of some) answer(true);
      }
    }
    working = false;
  }

  function hand({ batch, concerned }: Heard): boolean {
    const texts = batch.texts();
    for (const place of concerned) {
      const first = place.firstPosition - batch.firstPosition;
      const last = place.lastPosition - batch.firstPosition;
      const events = read(texts.slice(first, last + 1), place, texts[last + 1]);
      if (!events) return false;
      for (const onCommand of followers.get(place.stream) ?? []) onCommand(events);
    }
    return true;
  }

  const watched = await bus.watch(hear).catch((error: unknown) => {
    log.warn({ err: error }, 'nothing comes over the bus; the ledger is compared');
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
 * The line is not proven, the texts are: null where they are not one command of that stream. It ends where the `next` text
 * begins another; behind the last text of a batch the line is believed.
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
