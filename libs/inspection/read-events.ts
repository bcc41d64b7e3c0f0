import { toRecorded } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type pg from 'pg';

export const EVENTS_MAX = 500;

/** An event with the hash before it: all that its own hash follows from. */
export interface ChainedRecord extends RecordedEvent {
  readonly previousHash: string;
}

/** The events at those positions, ascending; what the book does not have is left out. */
export async function readEvents(
  pool: pg.Pool,
  positions: readonly number[],
): Promise<readonly ChainedRecord[]> {
  assert(positions.length <= EVENTS_MAX, 'a page of events');
  const { rows } = await pool.query<Parameters<typeof toRecorded>[0] & { previous: string }>({
    name: 'read-events',
    text: `select event.position, event.first_position, event.body,
        encode(event.hash, 'hex') as hash,
        coalesce(encode(before.hash, 'hex'), repeat('0', 64)) as previous
      from events as event left join events as before on before.position = event.position - 1
      where event.position = any($1::bigint[]) order by event.position`,
    values: [positions],
  });
  return rows.map((row) => ({ ...toRecorded(row), previousHash: row.previous }));
}
