/** Disk usage of the ledger, its projections and its NATS stream. */
import { manageStream } from '@reelbook/simulator/verdict/recovered';
import type pg from 'pg';
import { figure } from './measure.ts';

export interface Storage {
  readonly pool: pg.Pool;
  readonly natsUrl: string | null;
}

export interface Stored {
  readonly events: number;
  /** Bytes of the messages in the NATS stream. */
  readonly stream: number;
  readonly tables: readonly {
    readonly schema: string;
    readonly name: string;
    /** With indexes. */
    readonly bytes: number;
    readonly indexes: number;
  }[];
}

export async function readStored({ pool, natsUrl }: Storage): Promise<Stored> {
  const { rows: tables } = await pool.query<Stored['tables'][number]>(
    `select nspname as schema, relname as name, pg_total_relation_size(c.oid)::float8 as bytes,
        pg_indexes_size(c.oid)::float8 as indexes
      from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind = 'r' and nspname in ('public', 'projections') order by bytes desc`,
  );
  const { rows } = await pool.query<{ events: number }>(
    'select position as events from ledger_head',
  );
  const stream =
    natsUrl === null
      ? 0
      : await manageStream(natsUrl, async (streams) => (await streams.info('LEDGER')).state.bytes);
  return { events: rows[0]?.events ?? 0, stream, tables };
}

/** Bytes per event. */
export interface StoredBytes {
  readonly ledgerBytes: number;
  readonly projectionBytes: number;
  readonly streamBytes: number;
}

/** Bytes per event on disk, by table with its indexes, and in the NATS stream, less the size of empty tables. */
export function reportBytes(
  before: Stored,
  after: Stored,
  print: (line: string) => void,
): StoredBytes {
  const events = after.events - before.events;
  const tables = after.tables.map(({ schema, name, bytes, indexes }) => {
    const empty = before.tables.find((one) => one.schema === schema && one.name === name);
    return {
      schema,
      name,
      bytes: (bytes - (empty?.bytes ?? 0)) / events,
      indexes: (indexes - (empty?.indexes ?? 0)) / events,
    };
  });
  const sum = (of: typeof tables) => of.reduce((all, { bytes }) => all + bytes, 0);
  const ledgerBytes = sum(
    tables.filter(({ name }) => name === 'events' || name === 'idempotency_keys'),
  );
  const projectionBytes = sum(tables.filter(({ schema }) => schema === 'projections'));
  const streamBytes = (after.stream - before.stream) / events;
  print(`\nbytes per event, over ${figure(events)} events`);
  print(`events with idempotency keys ${figure(ledgerBytes)}   (goal 650)`);
  print(`all projections ${figure(projectionBytes)}   (goal 700)`);
  print(`JetStream ${figure(streamBytes)}   (goal 450)`);
  for (const { name, bytes, indexes } of tables.filter(({ bytes }) => bytes >= 1)) {
    print(`  ${name}: ${figure(bytes)}, of which ${figure(indexes)} are indexes`);
  }
  return { ledgerBytes, projectionBytes, streamBytes };
}
