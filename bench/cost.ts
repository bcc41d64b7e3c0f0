/** What a spin costs besides time: bytes on disk; and a comparison of all costs with those of an earlier run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { manageStream } from '@reelbook/simulator/verdict/recovered';
import type pg from 'pg';
import { figure } from './measure.ts';

/** With all services: ratios to the hand-written service in the same run, and bytes per event. */
export interface Cost {
  readonly rate: number;
  readonly cpu: number;
  readonly cpuAtFixedRate: number;
  /** The share of the fixed rate that was answered, in the worst round. Below 0.97, `cpuAtFixedRate` is of another rate. */
  readonly answeredAtFixedRate: number;
  readonly ledgerBytes: number;
  readonly projectionBytes: number;
  readonly streamBytes: number;
}

/** Recorded costs of an earlier run, see `--record`. */
const RECORD = join(REPOSITORY, 'bench/results/cost.json');
/**
 * A figure this many times worse than recorded is a regression. Ratios within one run vary less, even on a busy machine.
 */
const REGRESSION = 2;

/** Bytes by table, indexes included, and of the messages in the NATS stream; and the number of events. */
export async function readStored({ pool, natsUrl }: { pool: pg.Pool; natsUrl: string | null }) {
  const { rows } = await pool.query<{ name: string; bytes: number }>(
    `select oid::regclass::text as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
      where relkind = 'r' and relnamespace in ('public'::regnamespace, 'projections'::regnamespace)`,
  );
  const head = await pool.query<{ events: number }>('select position as events from ledger_head');
  const bytes = new Map(rows.map(({ name, bytes }) => [name, bytes]));
  if (natsUrl !== null) {
    const read = manageStream(natsUrl, async (streams) => (await streams.info('LEDGER')).state);
    bytes.set('JetStream', (await read).bytes);
  }
  return { events: head.rows[0]?.events ?? 0, bytes };
}
type Stored = Awaited<ReturnType<typeof readStored>>;

/** Bytes per event, less the size of empty tables. */
export function reportBytes(before: Stored, after: Stored, print: (line: string) => void) {
  const events = after.events - before.events;
  const each = [...after.bytes]
    .map(([name, bytes]) => ({ name, bytes: (bytes - (before.bytes.get(name) ?? 0)) / events }))
    .sort((a, b) => b.bytes - a.bytes);
  const sum = (names: RegExp) =>
    each.reduce((all, { name, bytes }) => all + (names.test(name) ? bytes : 0), 0);
  const ledgerBytes = sum(/^(events|idempotency_keys)$/);
  const projectionBytes = sum(/^projections\./);
  const streamBytes = sum(/^JetStream$/);
  print(`\nbytes per event, over ${figure(events)} events`);
  print(`events with idempotency keys ${figure(ledgerBytes)}   (goal 650)`);
  print(`all projections ${figure(projectionBytes)}   (goal 700)`);
  print(`JetStream ${figure(streamBytes)}   (goal 450)`);
  for (const { name, bytes } of each) if (bytes >= 1) print(`  ${name}: ${figure(bytes)}`);
  return { ledgerBytes, projectionBytes, streamBytes };
}

export function recordCost(cost: Cost): void {
  const rounded = Object.entries(cost).map(([name, value]) => [name, Number(value.toPrecision(3))]);
  writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`);
}

/** @returns one line for each figure that is more than twice as bad as recorded. */
export function findRegressions(cost: Cost): readonly string[] {
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Cost;
  return Object.entries(recorded).flatMap(([name, before]) => {
    const now = cost[name as keyof Cost];
    const worse = ['rate', 'answeredAtFixedRate'].includes(name) ? before / now : now / before;
    // Negated, so that NaN fails too.
    return worse <= REGRESSION ? [] : [`${name} is ${now.toPrecision(3)}; recorded is ${before}`];
  });
}
