import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { readHead } from '@reelbook/event-store/read-log';
import type { Events } from '@reelbook/event-store/tables';
import { encode, readBody } from '@reelbook/ledger/codec';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { deciders } from '@reelbook/ledger/deciders';
import { parseStream, playerStream, WALLET_PATTERN } from '@reelbook/ledger/streams';
import { isTime, Unanswerable } from '@reelbook/projections/entries/filter';
import { readPositionAt } from '@reelbook/projections/entries/seek';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
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

const EVENTS_PER_READ = 1_000;
/** A longer stream is not folded for a page: `npm run reelbook -- audit` folds any stream. */
const FOLD_EVENTS_MAX = 250_000;
/** Cached folds of streams, so that a slider does not fold from the first event at every step. */
const STREAMS_KEPT_MAX = 50;
/** Short: a row that was tampered with meanwhile must show. */
const KEPT_MS = 30_000;

/** A stream at a position. Version 0: it had not started. */
export interface StreamAt {
  readonly stream: string;
  readonly version: number;
  /** Of its last event and the one before; null: there is none. */
  readonly position: number | null;
  readonly previous: number | null;
  readonly state: unknown;
}

/** A stream that cannot be folded to the position; the message has the event and the error. */
export class CannotFold extends Error {
  override name = 'CannotFold';
}

export interface TimeTravel {
  /** Throws `Unanswerable` for an invalid name, and `CannotFold`. */
  streamAt(stream: string, position: number): Promise<StreamAt>;
}

/** The stream of a wallet or a name. Throws `Unanswerable`. */
export function streamNamed(name: string): string {
  const stream = WALLET_PATTERN.test(name) ? playerStream(name) : name;
  try {
    const { kind, id } = parseStream(stream);
    return kind === 'player' ? playerStream(id) : stream;
  } catch {
    throw new Unanswerable(`there is no stream ${name}`);
  }
}

export function openTimeTravel(pool: pg.Pool): TimeTravel {
  const kept = new LRUCache<string, StreamAt[]>({ max: STREAMS_KEPT_MAX, ttl: KEPT_MS });

  async function streamAt(stream: string, position: number): Promise<StreamAt> {
    const stops = kept.get(stream) ?? [];
    let at = stops.findLast((stop) => (stop.position ?? 0) <= position) ?? begin(stream);
    for (;;) {
      const rows = await readBodies(pool, stream, at.version);
      const due = rows.filter((row) => row.position <= position);
      at = foldRows(at, due);
      if (due.length < EVENTS_PER_READ) return at;
      if (at.version >= FOLD_EVENTS_MAX) {
        throw new CannotFold(`it has more than ${FOLD_EVENTS_MAX} events up to there`);
      }
      if ((stops.at(-1)?.version ?? 0) < at.version) stops.push(at);
      if (!kept.has(stream)) kept.set(stream, stops);
    }
  }

  return { streamAt };
}

function begin(stream: string): StreamAt {
  const state = deciders[parseStream(stream).kind].initial;
  return { stream, version: 0, position: null, previous: null, state };
}

type Row = Pick<Events, 'position' | 'version' | 'body'>;

async function readBodies(pool: pg.Pool, stream: string, after: number): Promise<Row[]> {
  const bodies = tables
    .selectFrom('events')
    .select(['position', 'version', 'body'])
    .where('stream', '=', sql<string>`stream_key(${stream})`)
    .where('version', '>', after)
    .orderBy('version')
    .limit(EVENTS_PER_READ);
  return rowsOf(pool, bodies, 'read-bodies');
}

function foldRows(from: StreamAt, rows: readonly Row[]): StreamAt {
  const { evolve } = deciders[parseStream(from.stream).kind];
  let at = from;
  for (const { position, version, body } of rows) {
    try {
      const { type, data } = readBody(body);
      const state = evolve(at.state, { type, data } as LedgerEvent);
      at = { stream: at.stream, version, position, previous: at.position, state };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new CannotFold(`#${position} cannot be folded: ${why}`);
    }
  }
  return at;
}

/** Differences shown; a state with more differs as one change. */
export const CHANGES_MAX = 500;

/** A difference of two values; `path` starts at the root. A missing value is undefined. */
export interface Change {
  readonly path: string[];
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: unknown;
  readonly after: unknown;
}

/** Plain JSON of a state or an event: amounts as decimal text. */
export function toPlain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(encode(value));
}

/** The differences of two plain JSON values, leaf by leaf, in the order of the keys; at most CHANGES_MAX. */
export function findChanges(before: unknown, after: unknown): Change[] {
  const changes: Change[] = [];
  compare(before, after, [], changes);
  return changes;
}

function compare(before: unknown, after: unknown, path: string[], into: Change[]): void {
  if (into.length >= CHANGES_MAX || before === after) return;
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      compare(old.get(key), now.get(key), [...path, key], into);
    }
    return;
  }
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  into.push({ path, kind, before: before ?? null, after: after ?? null });
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
