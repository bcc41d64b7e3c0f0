import { assert, Bug } from '@reelbook/ledger/assert';
import { canonical, decode } from '@reelbook/ledger/codec';
import type { Decider, LedgerEvent } from '@reelbook/ledger/decider';
import type { AnyEvent, PlacedEvent, RecordedEvent } from '@reelbook/ledger/events';
import { checkMoney } from '@reelbook/ledger/invariants';
import type { Balances } from '@reelbook/ledger/player/balances';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';
import DataLoader from 'dataloader';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { uuidArray } from './append.ts';
import { streamKey } from './execution.ts';
import { anyOf, rowOf, rowsOf, tables } from './query.ts';
import { eventOf, eventRows, toRecorded, Unreadable } from './read-log.ts';

const READ_STREAM_LIMIT_MAX = 1_000;
const STREAMS_PER_QUERY_MAX = 256;
/** Of a Postgres `integer`, less one. */
const VERSION_MAX = 2 ** 31 - 2;

export interface CurrentState<State> {
  readonly state: State;
  readonly version: number;
}

/** Events of one stream from a version on, ascending. */
export async function readStream<Event = AnyEvent>(
  pool: pg.Pool,
  options: { readonly stream: string; readonly fromVersion: number; readonly limit: number },
): Promise<RecordedEvent<Event>[]> {
  assert(options.limit >= 1 && options.limit <= READ_STREAM_LIMIT_MAX, 'a range to read');
  const page = eventRows(sql`version = ${options.fromVersion}`)
    .where('stream', '=', sql<string>`stream_key(${options.stream})`)
    .where('version', '>=', options.fromVersion)
    .orderBy('version')
    .limit(options.limit);
  return toRecorded<Event>(await rowsOf(pool, page, 'read-stream'));
}

/** Events of a stream without their commands, newest first, from a version on back. */
export async function* readBack(
  pool: pg.Pool,
  { stream, version = VERSION_MAX }: { readonly stream: string; readonly version?: number },
): AsyncGenerator<ReturnType<typeof eventOf>> {
  let before = version + 1;
  while (before > 1) {
    const page = tables
      .selectFrom('events')
      .select('body')
      .where('stream', '=', sql<string>`stream_key(${stream})`)
      .where('version', '<', before)
      .orderBy('version', 'desc')
      .limit(READ_STREAM_LIMIT_MAX);
    const events = (await rowsOf(pool, page, 'read-back')).map(({ body }) => eventOf(body));
    yield* events;
    before = events.at(-1)?.version ?? 1;
  }
}

/** The events that a process keeps of histories, per database. */
const HISTORY_EVENTS_MAX = 20_000;

interface History {
  readonly version: number;
  readonly events: readonly RecordedEvent[];
}

/** Reads the events of these types in streams, ascending, by stream. Kept ones are not read again. */
export function openHistories(types: readonly AnyEvent['type'][]) {
  const pools = new WeakMap<pg.Pool, LRUCache<string, History>>();
  return async (
    pool: pg.Pool,
    streams: readonly string[],
  ): Promise<ReadonlyMap<string, readonly RecordedEvent[]>> => {
    const sizeCalculation = ({ events }: History) => events.length + 1;
    const kept = pools.get(pool) ?? new LRUCache({ maxSize: HISTORY_EVENTS_MAX, sizeCalculation });
    pools.set(pool, kept);
    const asked = sql<{ name: string }>`unnest(${[...new Set(streams)]}::text[])`;
    const heads = tables
      .selectFrom(asked.as<'asked'>(sql`asked(name)`))
      .select(['name', sql<number | null>`(${HEAD})`.as('head')]);
    const reading = (await rowsOf(pool, heads, 'heads-of-histories')).map(({ name, head }) => {
      const known: History = kept.get(name) ?? { version: 0, events: [] };
      return { name, version: head ?? 0, known };
    });
    const later = sql<{ name: string; known: number; head: number }>`unnest(
      ${reading.map(({ name }) => name)}::text[],
      ${reading.map(({ known }) => known.version)}::bigint[],
      ${reading.map(({ version }) => version)}::bigint[])`;
    const page = eventRows(sql`true`)
      .innerJoin(later.as<'later'>(sql`later(name, known, head)`), (join) =>
        join.on(sql<boolean>`stream = stream_key(name) and version > known and version <= head`),
      )
      .where('type', '=', anyOf('text', types))
      .orderBy('position');
    const read = toRecorded(await rowsOf(pool, page, 'read-histories'));
    return new Map(
      reading.map(({ name, version, known }) => {
        const events = [...known.events, ...read.filter(({ stream }) => stream === name)];
        kept.set(name, { version, events });
        return [name, events];
      }),
    );
  };
}

const HEAD = sql`select max(version) from events where stream = stream_key(name)`;

/** The newest event of a type in a stream, or null. Reads back to it from the end of the stream. */
export async function readNewest(
  pool: pg.Pool,
  { stream, type }: { readonly stream: string; readonly type: AnyEvent['type'] },
): Promise<RecordedEvent | null> {
  const newest = eventRows(sql`true`)
    .where('stream', '=', sql<string>`stream_key(${stream})`)
    .where('type', '=', type)
    .orderBy('version', 'desc')
    .limit(1);
  return toRecorded(await rowsOf(pool, newest, 'read-newest'))[0] ?? null;
}

/** The position of the event of a version of a stream, or null. */
export async function readPosition(
  pool: pg.Pool,
  { stream, version }: { readonly stream: string; readonly version: number },
): Promise<number | null> {
  const at = tables
    .selectFrom('events')
    .select('position')
    .where('stream', '=', sql<string>`stream_key(${stream})`)
    .where('version', '=', version);
  return (await rowOf(pool, at, 'position-of-version'))?.position ?? null;
}

/** The inputs of a bet's draw except its nonce and the server seed itself. */
export interface CommittedSeeds {
  readonly serverSeedHash: string;
  readonly clientSeed: string;
  /** Of SeedsCommitted; ClientSeedChanged of the same pair is the next event. */
  readonly committedAt: number;
}

/** SQL: the version of the latest SeedsCommitted of a stream before one of its events. Index `events_commitments`. */
export const commitmentBefore = (stream: string, version: string) => `(
  select committed.version from public.events as committed
  where committed.stream = ${stream} and committed.version < ${version}
    and committed.type = 'SeedsCommitted'
  order by committed.version desc limit 1)`;

/** The seeds that a bet was drawn from: those of the latest commitment before it in its stream. */
export async function readCommitment(
  pool: pg.Pool,
  { stream, version, event }: Pick<PlacedEvent<BetPlaced>, 'stream' | 'version' | 'event'>,
): Promise<CommittedSeeds> {
  const { rows } = await pool.query<{ body: string }>({
    name: 'read-commitment',
    text: `select body from events, ${commitmentBefore('stream_key($1)', '$2')} as commitment(first)
      where stream = stream_key($1) and version between first and first + 1 order by version`,
    values: [stream, version],
  });
  return committedBy(
    event,
    rows.map(({ body }) => eventOf(body)),
  );
}

/** The seeds of a bet from the two events of its commitment. Throws `Bug` if they are not of the pair that the bet names. */
export function committedBy(
  { data: { round, pair } }: BetPlaced,
  events: readonly Pick<PlacedEvent, 'position' | 'event'>[],
): CommittedSeeds {
  const [committed, chosen] = events.map(({ event }) => event);
  const committedAt = events[0]?.position;
  if (committed?.type === 'SeedsCommitted' && chosen?.type === 'ClientSeedChanged' && committedAt) {
    const { activeHash: serverSeedHash } = committed.data;
    const { clientSeed } = chosen.data;
    const same = committed.data.pair === pair && chosen.data.pair === pair;
    if (same) return { serverSeedHash, clientSeed, committedAt };
  }
  throw new Bug(`round ${round} is drawn from pair ${pair}, which was not committed to before it`);
}

/** The current state of a stream, from its row. A state written under an older schema is folded again from event 1. */
export async function loadState<State, Event extends LedgerEvent>(
  pool: pg.Pool,
  decider: Decider<State, never, Event>,
  stream: string,
): Promise<CurrentState<State>> {
  const [row] = await readRows(pool, [stream]);
  return decodeRow(pool, decider, stream, row ?? null);
}

/** Like `loadState`, for parallel callers: all requests of one turn of the event loop are one query. */
export type StateLoader = <State, Event extends LedgerEvent>(
  decider: Decider<State, never, Event>,
  stream: string,
) => Promise<CurrentState<State>>;

export function startStateLoader(pool: pg.Pool): StateLoader {
  const loader = new DataLoader((streams: readonly string[]) => readRows(pool, streams), {
    cache: false,
    maxBatchSize: STREAMS_PER_QUERY_MAX,
    batchScheduleFn: setImmediate,
  });
  return async (decider, stream) => decodeRow(pool, decider, stream, await loader.load(stream));
}

interface StreamRow {
  readonly key: string;
  readonly version: number;
  readonly state: string;
  readonly state_schema: number;
}

/** The rows of streams, in their order; null for a stream that does not exist. */
async function readRows(
  pool: pg.Pool,
  streams: readonly string[],
): Promise<readonly (StreamRow | null)[]> {
  const keys = streams.map(streamKey);
  const { rows } = await pool.query<StreamRow>({
    name: 'read-current-states',
    text: `select replace(key::text, '-', '') as key, version, state, state_schema
      from streams where key = any($1)`,
    values: [uuidArray(keys)],
  });
  const found = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key) => found.get(key) ?? null);
}

function decodeRow<State, Event extends LedgerEvent>(
  pool: pg.Pool,
  decider: Decider<State, never, Event>,
  stream: string,
  row: StreamRow | null,
): CurrentState<State> | Promise<CurrentState<State>> {
  if (!row) return { state: decider.initial, version: 0 };
  if (row.state_schema > decider.stateSchema) {
    throw new Error(
      `${stream} was written by a newer build: state schema ${row.state_schema}, this build knows ${decider.stateSchema}`,
    );
  }
  if (row.state_schema === decider.stateSchema) {
    return { state: decode<State>(row.state), version: row.version };
  }
  return foldStream(pool, decider, stream);
}

interface Folded<State> extends CurrentState<State> {
  /** Of the first event with wrong postings. */
  readonly fault?: string;
}

/** Folds a stream from event 1, or from an earlier fold. */
export async function foldStream<State, Event extends LedgerEvent>(
  pool: pg.Pool,
  decider: Decider<State, never, Event>,
  stream: string,
  o: {
    readonly from?: Folded<State> | undefined;
    readonly to?: number;
    /** Called before each page of events: a long stream takes seconds. */
    readonly onPage?: OnPage | undefined;
  } = {},
): Promise<Folded<State>> {
  let { state, version, fault }: Folded<State> = o.from ?? { state: decider.initial, version: 0 };
  const { to = Number.POSITIVE_INFINITY } = o;
  while (version < to) {
    await o.onPage?.();
    const limit = Math.min(READ_STREAM_LIMIT_MAX, to - version);
    const events = await readStream<Event>(pool, { stream, fromVersion: version + 1, limit });
    for (const recorded of events) {
      version++;
      assert(
        recorded.stream === stream && recorded.version === version,
        `${stream} has version ${version}`,
      );
      try {
        if (decider.kind === 'player') fault ??= moneyFault(stream, recorded.event, state);
        state = decider.evolve(state, recorded.event);
      } catch (error) {
        throw new Unreadable(recorded.position, error);
      }
    }
    if (events.length < limit) break;
  }
  return { state, version, ...(fault !== undefined && { fault }) };
}

function moneyFault(stream: string, event: unknown, before: unknown): string | undefined {
  try {
    checkMoney(event as AnyEvent, parseStream(stream).id, before as Balances);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type OnPage = () => Promise<void>;

/** Folds that a process keeps, per database: a kept one is folded on, not from event 1. */
const FOLDS_MAX = 2_000;
const folds = new WeakMap<pg.Pool, LRUCache<string, Folded<unknown>>>();

/** The current state by the events alone, for decisions that must not depend on the row of the stream. */
export async function foldedState<State, Event extends LedgerEvent>(
  pool: pg.Pool,
  decider: Decider<State, never, Event>,
  stream: string,
  onPage?: OnPage,
): Promise<Folded<State>> {
  const kept = folds.get(pool) ?? new LRUCache({ max: FOLDS_MAX });
  folds.set(pool, kept);
  const from = kept.get(stream) as Folded<State> | undefined;
  const folded = await foldStream(pool, decider, stream, { from, onPage });
  kept.set(stream, folded);
  return folded;
}

/** The current state in the row of a stream and by its events, and why they differ. */
export async function readBoth<State, Event extends LedgerEvent>(
  pool: pg.Pool,
  decider: Decider<State, never, Event>,
  stream: string,
  onPage?: OnPage,
) {
  // The row is read after the events: it is at their version or, after an append between the two, at a later one.
  const from = await foldedState(pool, decider, stream, onPage);
  const stored = await loadState(pool, decider, stream);
  const folded = await foldStream(pool, decider, stream, { from, to: stored.version, onPage });
  return { stored, folded, difference: differenceOf(stored, folded) };
}

function differenceOf(stored: CurrentState<unknown>, folded: Folded<unknown>): string | null {
  if (folded.fault !== undefined) return folded.fault;
  if (folded.version !== stored.version) {
    return `version ${stored.version}, events ${folded.version}`;
  }
  const same = canonical(folded.state) === canonical(stored.state);
  return same ? null : `at version ${stored.version}`;
}

/** The stored state of a stream is not what its events give. */
export class StateDiffers extends Error {
  override readonly name = 'StateDiffers';
  readonly stream: string;
  constructor(stream: string, why: string) {
    super(`the stored state of ${stream} differs from its events: ${why}`);
    this.stream = stream;
  }
}

/**
 * Loads states that are folded from the events, each with its postings checked. Throws `StateDiffers` if the stored state is
 * another one.
 */
export function startProver(pool: pg.Pool, onPage?: OnPage): StateLoader {
  return async (decider, stream) => {
    const { folded, difference } = await readBoth(pool, decider, stream, onPage).catch((error) => {
      throw error instanceof Bug ? new StateDiffers(stream, error.message) : error;
    });
    if (difference !== null) throw new StateDiffers(stream, difference);
    return folded;
  };
}
