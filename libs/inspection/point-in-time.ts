import { rowOf, tables } from '@reelbook/event-store/query';
import { readHead } from '@reelbook/event-store/read-log';
import { isTime, Unanswerable } from '@reelbook/projections/entries/filter';
import { readPositionAt } from '@reelbook/projections/entries/seek';
import type pg from 'pg';

/** Everything up to this position is included; 0 is the empty ledger, which has no time. */
export interface PointInTime {
  readonly position: number;
  readonly time: string | null;
}

const POSITION_PATTERN = /^\d{1,15}$/;

/**
 * Resolves a point in time: a position, an ISO 8601 time (the last position at or before it), or now if undefined. Throws
 * `Unanswerable` for anything else, and for a position that the ledger has not reached.
 */
export async function readPointInTime(pool: pg.Pool, at: string | undefined): Promise<PointInTime> {
  const head = await readHead(pool);
  if (at === undefined) return { position: head.position, time: head.time };
  if (POSITION_PATTERN.test(at)) {
    const position = Number(at);
    if (position > head.position) {
      throw new Unanswerable(`the ledger ends at position ${head.position}`);
    }
    return { position, time: await readTime(pool, position) };
  }
  if (!isTime(at)) throw new Unanswerable('at must be a position or an ISO 8601 time');
  const position = await readPositionAt(pool, at, head.position);
  return { position, time: await readTime(pool, position) };
}

async function readTime(pool: pg.Pool, position: number): Promise<string | null> {
  const at = tables
    .selectFrom('events')
    .select('recorded_at as time')
    .where('position', '=', position);
  return (await rowOf(pool, at, 'read-time'))?.time ?? null;
}
