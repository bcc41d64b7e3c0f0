import type { Bus, Stored } from '@reelbook/event-store/bus/bus';
import { readHash } from '@reelbook/event-store/chain';
import { readHead } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';
import { endOfCommandBefore } from './read-commands.ts';

/**
 * The most that is published to an empty stream. A follower that is further behind reads Postgres in any case; sending a
 * ledger from its beginning over a new server would only delay new events.
 */
export const EMPTY_STREAM_BACKLOG = 10_000;

/** The stream ends with events that the ledger does not have. Nothing is published until an operator decides. */
export class ForeignStream extends Error {
  override name = 'ForeignStream';
}

/**
 * The position after which to publish: the last one stored. A stream that is empty (new server, deleted, purged) begins at
 * what was published last, `saved`: its consumers have everything before it or find it in Postgres, and nothing is
 * published twice. Throws `ForeignStream` for one that is ahead of the ledger, as after a restore from a backup, or of
 * another ledger.
 */
export async function findStart(
  { pool, bus }: { readonly pool: pg.Pool; readonly bus: Pick<Bus, 'lastStored'> },
  saved: number,
): Promise<Stored> {
  const [stored, head] = [await bus.lastStored(), await readHead(pool)];
  if (stored) {
    if ((await readHash(pool, stored.position)) === stored.hash) return stored;
    throw new ForeignStream(
      `the stream ends at position ${stored.position} with hash ${stored.hash.slice(0, 16)}, which this ledger does not ` +
        `have (it ends at ${head.position}); an operator decides: npm run reelbook -- stream --help`,
    );
  }
  const wanted = Math.min(head.position, Math.max(saved, head.position - EMPTY_STREAM_BACKLOG, 0));
  const position = await endOfCommandBefore(pool, wanted);
  const hash = await readHash(pool, position);
  assert(hash, `the ledger has position ${position}`);
  return { position, hash };
}
