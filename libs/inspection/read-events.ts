import { type EventRow, toRecorded } from '@reelbook/event-store/read-log';
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
  const { rows } = await pool.query<EventRow & { previous: string }>({
    name: 'read-events',
    text: `select event.position, event.first_position, event.body,
        encode(event.hash, 'hex') as hash, begun.body as first_body,
        coalesce(encode(before.hash, 'hex'), repeat('0', 64)) as previous
      from events as event left join events as begun on begun.position = event.first_position
      left join events as before on before.position = event.position - 1
      where event.position = any($1::bigint[]) order by event.position`,
    values: [positions],
  });
  const recorded = toRecorded(rows);
  return rows.flatMap(({ previous: previousHash }, index) => {
    const event = recorded[index];
    return event ? [{ ...event, previousHash }] : [];
  });
}
