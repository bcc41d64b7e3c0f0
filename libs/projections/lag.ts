import { type Checkpoint, readCheckpoints } from '@reelbook/event-store/checkpoint';
import { anyOf, rowsOf, tables } from '@reelbook/event-store/query';
import { readHead } from '@reelbook/event-store/read-log';
import { sql } from 'kysely';
import type pg from 'pg';

export interface Lag extends Checkpoint {
  /** Events in the ledger that are not applied yet. */
  readonly behindPositions: number;
  /** Time and age of the oldest of them; null and 0 when there is none. */
  readonly behindSince: string | null;
  readonly behindSeconds: number;
}

/**
 * How far every follower is behind the ledger, including the publisher, for metrics and the console.
 */
export async function readLag(pool: pg.Pool): Promise<readonly Lag[]> {
  // The head last: no checkpoint is ahead of a head that was read after it.
  const checkpoints = await readCheckpoints(pool);
  const { position: head } = await readHead(pool);
  const waiting = checkpoints.map(({ position }) => position + 1).filter((next) => next <= head);
  const oldest = tables
    .selectFrom('events')
    .select(['position', 'recorded_at as since'])
    .select(sql<number>`extract(epoch from clock_timestamp() - recorded_at)::float8`.as('seconds'))
    .where('position', '=', anyOf('bigint', waiting));
  const rows = await rowsOf(pool, oldest);
  const next = new Map(rows.map((row) => [row.position, row]));
  return checkpoints.map((checkpoint) => {
    const { since = null, seconds = 0 } = next.get(checkpoint.position + 1) ?? {};
    return {
      ...checkpoint,
      behindPositions: head - checkpoint.position,
      behindSince: since,
      behindSeconds: Math.max(0, seconds),
    };
  });
}
