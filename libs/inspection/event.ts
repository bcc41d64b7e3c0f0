import { anyOf, rowsOf, tables } from '@reelbook/event-store/query';
import { toRecorded } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { ExplorerFilter } from '@reelbook/projections/entries/filter';
import { readExplorer } from '@reelbook/projections/entries/read';
import { sql } from 'kysely';
import type pg from 'pg';

export const EVENTS_MAX = 500;

/** An event with the previous hash: the input of its own hash. */
export interface ChainedRecord extends RecordedEvent {
  readonly previousHash: string;
}

/** The newest events of a filter, newest first. */
export async function findEvents(pool: pg.Pool, filter: ExplorerFilter, limit: number) {
  const { entries } = await readExplorer(pool, { filter, limit });
  return (await readEvents(pool, entries)).toReversed();
}

/** The events at those positions, ascending; missing ones are left out. */
export async function readEvents(
  pool: pg.Pool,
  wanted: readonly (number | { readonly position: number })[],
): Promise<readonly ChainedRecord[]> {
  assert(wanted.length <= EVENTS_MAX, 'a page of events');
  const positions = wanted.map((one) => (typeof one === 'number' ? one : one.position));
  const page = tables
    .selectFrom('events as event')
    .leftJoin('events as begun', 'begun.position', 'event.first_position')
    .leftJoin('events as before', (join) =>
      join.on('before.position', '=', sql<number>`event.position - 1`),
    )
    .select(['event.position', 'event.first_position', 'event.body', 'begun.body as first_body'])
    .select([
      sql<string>`encode(event.hash, 'hex')`.as('hash'),
      sql<string>`coalesce(encode(before.hash, 'hex'), repeat('0', 64))`.as('previous'),
    ])
    .where('event.position', '=', anyOf('bigint', positions))
    .orderBy('event.position');
  const rows = await rowsOf(pool, page, 'read-events');
  const recorded = toRecorded(rows);
  return rows.flatMap(({ previous: previousHash }, index) => {
    const event = recorded[index];
    return event ? [Object.assign(event, { previousHash })] : [];
  });
}
