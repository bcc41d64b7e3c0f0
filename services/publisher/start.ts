import type { Bus } from '@reelbook/bus/bus';
import { readHash } from '@reelbook/event-store/chain';
import { readHead } from '@reelbook/event-store/read-log';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import { endOfCommandBefore } from './read-commands.ts';

/**
 * How much of the book an empty stream is given at most. Whoever is further behind reads Postgres in any case;
 * sending a whole book over a new server would only keep everyone's news waiting behind it.
 */
export const EMPTY_STREAM_BACKLOG = 10_000;

/**
 * The position behind which to publish: the last one stored. A stream that is empty (new server, deleted, purged)
 * begins at what was published last, `saved`: its consumers have all before it or find it in Postgres, and nothing
 * goes out twice. A stream that holds another book (a database made anew or restored) is thrown away.
 */
export async function findStart(
  o: { readonly pool: pg.Pool; readonly bus: Bus; readonly log: Logger },
  saved: number,
): Promise<number> {
  const stored = await o.bus.lastStored();
  if (!stored) {
    const head = await readHead(o.pool);
    const position = Math.max(saved, head.position - EMPTY_STREAM_BACKLOG);
    return position > 0 ? endOfCommandBefore(o.pool, Math.min(position, head.position)) : 0;
  }
  if ((await readHash(o.pool, stored.position)) === stored.hash) return stored.position;
  o.log.error(
    { position: stored.position },
    'the stream holds events that this book does not have; it is emptied',
  );
  await o.bus.reset();
  return findStart(o, saved);
}
