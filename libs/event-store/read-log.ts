import { assert, Bug } from '@reelbook/ledger/assert';
import { readBody } from '@reelbook/ledger/codec';
import type { AnyEvent, PlacedEvent, RecordedEvent } from '@reelbook/ledger/events';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { EVENTS_PER_COMMAND_MAX } from './append.ts';
import { compareHead } from './known-head.ts';
import { schemaFault } from './migrate.ts';
import { rowOf, rowsOf, tables } from './query.ts';

export const READ_LOG_LIMIT_MAX = 10_000;

export interface EventRow {
  readonly position: number;
  readonly first_position: number;
  readonly body: string;
  readonly hash: string;
  /** The body of the first event of its command, if that is another event and not earlier in the same list. */
  readonly first_body?: string | null;
}

/** What `toRecorded` reads, of rows of which `isFirst` selects the first, or of rows that do not follow each other. */
export const eventRows = (isFirst: RawBuilder<boolean>) =>
  tables.selectFrom('events').select([
    'position',
    'first_position',
    'body',
    sql<string>`encode(hash, 'hex')`.as('hash'),
    sql<string | null>`case when ${isFirst} and first_position < position then (
        select one.body from events as one
        where one.position = events.first_position) end`.as('first_body'),
  ]);

/** An event was altered or forged, so that its text cannot be used. */
export class Unreadable extends Bug {
  constructor(position: number | string, cause: unknown) {
    super(`#${position} cannot be read: ${String(cause)}`);
  }
}

/** In place of such an event: whatever `known` lacks throws `Unreadable`. So it stops what uses it, and no other event. */
export function unreadable<Of extends { readonly position: number }>(
  known: Pick<Of, 'position'> & Partial<Of>,
  cause: unknown,
): Of {
  return new Proxy(known as Of, {
    get(of, name) {
      if (!Object.hasOwn(of, name)) throw new Unreadable(of.position, cause);
      return Reflect.get(of, name);
    },
  });
}

const NO_META = { command: '', correlation: '', actor: '' };

/** Events from rows in their order. The body is the authority; the audit checks that the columns agree with it. */
export function toRecorded<Event = AnyEvent>(rows: readonly EventRow[]): RecordedEvent<Event>[] {
  let before: RecordedEvent<Event> | null = null;
  return rows.map((row) => {
    try {
      before = toOne(row, before);
      return before;
    } catch (error) {
      const { position, first_position: firstPosition, body, hash } = row;
      return unreadable<RecordedEvent<Event>>(
        { position, firstPosition, body, hash, meta: NO_META },
        error,
      );
    }
  });
}

function toOne<Event>(row: EventRow, before: RecordedEvent<Event> | null): RecordedEvent<Event> {
  const { stream, version, type, time, data, meta: own } = readBody(row.body);
  const known = before?.firstPosition === row.first_position ? before.meta : null;
  const meta = own ?? known ?? (row.first_body ? readBody(row.first_body).meta : null);
  const begins = row.position === row.first_position;
  assert(
    meta && begins === (own !== null),
    `#${row.first_position} begins a command with its meta`,
  );
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

/** An event from its sealed text alone: without its command. Only of types that this build knows. Throws `Unreadable`. */
export function eventOf(text: string): Omit<PlacedEvent, 'firstPosition' | 'meta'> {
  try {
    const { type, data, meta: _, ...placed } = readBody(text);
    return { ...placed, event: { type, data } as AnyEvent };
  } catch (error) {
    throw new Unreadable(/"position":(\d+)/.exec(text)?.[1] ?? '?', error);
  }
}

/** For health checks: whether the ledger responds and has this build's schema. Rejects when it does not respond. */
export const ledgerCheck = (pool: pg.Pool) => ({
  name: 'ledger',
  async check() {
    await compareHead(pool);
    return schemaFault(pool);
  },
});

/** Events from position `from` on, ascending and without gaps; fewer than `limit` only at the head. */
export async function readLog(
  pool: pg.Pool | pg.PoolClient,
  options: { readonly from: number; readonly limit: number },
): Promise<RecordedEvent[]> {
  assert(
    options.from >= 1 && options.limit >= 1 && options.limit <= READ_LOG_LIMIT_MAX,
    'a range to read',
  );
  const page = eventRows(sql`position = ${options.from}`)
    .where('position', '>=', options.from)
    .orderBy('position')
    .limit(options.limit);
  const rows = await rowsOf(pool, page, 'read-log');
  rows.forEach((row, index) => {
    assert(
      row.position === options.from + index,
      `position ${options.from + index} is missing from the ledger`,
    );
  });
  return toRecorded(rows);
}

/** The events of a range in batches; reads the next batch while one is processed. Throws when the ledger ends before `to`. */
export async function* readBatches(
  pool: pg.Pool,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): AsyncGenerator<readonly RecordedEvent[], void> {
  const read = async (next: number) =>
    next <= to ? readLog(pool, { from: next, limit: Math.min(limit, to - next + 1) }) : null;
  let reading = read(from);
  for (let events = await reading; events; events = await reading) {
    const last = events.at(-1);
    assert(last, `the ledger ends before position ${to}`);
    reading = read(last.position + 1);
    // If processing this batch fails, nothing awaits the next.
    reading.catch(() => {});
    yield events;
  }
}

/** The events of the command whose first event is at `position`. */
export async function readCommand<Event = AnyEvent>(
  pool: pg.Pool,
  position: number,
): Promise<RecordedEvent<Event>[]> {
  const command = eventRows(sql`false`)
    .where('position', '>=', position)
    .where('position', '<', position + EVENTS_PER_COMMAND_MAX)
    .where('first_position', '=', position)
    .orderBy('position');
  const rows = await rowsOf(pool, command, 'read-command');
  assert(rows.length > 0, `a command starts at position ${position}`);
  return toRecorded<Event>(rows);
}

/** The event at a position, or null where the ledger has none. */
export async function readEvent(pool: pg.Pool, position: number): Promise<RecordedEvent | null> {
  const event = eventRows(sql`true`).where('position', '=', position);
  return toRecorded(await rowsOf(pool, event, 'read-event'))[0] ?? null;
}

/** The newest position of the ledger. Position 0 is the empty ledger. */
export async function readHead(
  pool: pg.Pool | pg.PoolClient,
): Promise<{ position: number; hash: string; time: string | null }> {
  const head = await rowOf(pool, HEAD);
  assert(head, 'the ledger has a head');
  return head;
}

const HEAD = tables
  .selectFrom('ledger_head')
  .select([
    'position',
    sql<string>`encode(hash, 'hex')`.as('hash'),
    sql<string | null>`nullif(recorded_at, '-infinity')`.as('time'),
  ]);
