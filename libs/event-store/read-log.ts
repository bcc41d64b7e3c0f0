import { assert } from '@reelbook/ledger/assert';
import { readBody } from '@reelbook/ledger/body';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import type pg from 'pg';
import { EVENTS_PER_COMMAND_MAX } from './append.ts';
import { schemaFault } from './schema.ts';

export const READ_LOG_LIMIT_MAX = 10_000;

interface EventRow {
  position: number;
  first_position: number;
  body: string;
  hash: string;
}

const COLUMNS = `position, first_position, body, encode(hash, 'hex') as hash`;

/** An event from its row. The body is the authority; that the columns agree with it is the audit's to check. */
export function toRecorded<Event = AnyEvent>(row: EventRow): RecordedEvent<Event> {
  const { stream, version, type, time, data, meta } = readBody(row.body);
  return {
    position: row.position,
    firstPosition: row.first_position,
    stream,
    version,
    time,
    event: { type, data } as Event,
    meta,
    body: row.body,
    hash: row.hash,
  };
}

/** For health checks: whether the book answers, and is still of this build's schema. Rejects when it does not answer. */
export const bookCheck = (pool: pg.Pool) => ({
  name: 'book',
  check: async () => (await readHead(pool)) && schemaFault(pool),
});

/** Events from position `from` on, ascending and without holes; fewer than `limit` only at the head. */
export async function readLog(
  pool: pg.Pool | pg.PoolClient,
  o: { readonly from: number; readonly limit: number },
): Promise<RecordedEvent[]> {
  assert(o.from >= 1 && o.limit >= 1 && o.limit <= READ_LOG_LIMIT_MAX, 'a range to read');
  const { rows } = await pool.query<EventRow>({
    name: 'read-log',
    text: `select ${COLUMNS} from events where position >= $1 order by position limit $2`,
    values: [o.from, o.limit],
  });
  rows.forEach((row, index) => {
    assert(row.position === o.from + index, `position ${o.from + index} is missing from the book`);
  });
  return rows.map((row) => toRecorded(row));
}

/** The events of the command whose first event stands at `position`. */
export async function readCommand<Event = AnyEvent>(
  pool: pg.Pool,
  position: number,
): Promise<RecordedEvent<Event>[]> {
  const { rows } = await pool.query<EventRow>({
    name: 'read-command',
    text: `select ${COLUMNS} from events where position >= $1 and position < $2 and first_position = $1 order by position`,
    values: [position, position + EVENTS_PER_COMMAND_MAX],
  });
  assert(rows.length > 0, `a command starts at position ${position}`);
  return rows.map((row) => toRecorded<Event>(row));
}

/** The event at a position, or null where the book has none. */
export async function readEvent(pool: pg.Pool, position: number): Promise<RecordedEvent | null> {
  const { rows } = await pool.query<EventRow>({
    name: 'read-event',
    text: `select ${COLUMNS} from events where position = $1`,
    values: [position],
  });
  return rows[0] ? toRecorded(rows[0]) : null;
}

/** The newest place in the book. Position 0 is the empty book. */
export async function readHead(
  pool: pg.Pool | pg.PoolClient,
): Promise<{ position: number; hash: string; time: string | null }> {
  const { rows } = await pool.query<{ position: number; hash: string; time: string | null }>(
    `select position, encode(hash, 'hex') as hash, nullif(recorded_at, '-infinity') as time from head`,
  );
  const row = rows[0];
  assert(row, 'the book has a head');
  return row;
}
