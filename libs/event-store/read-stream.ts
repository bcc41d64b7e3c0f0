import { assert, Bug } from '@reelbook/ledger/assert';
import { canonical, decode } from '@reelbook/ledger/codec';
import { type Decider, fold, type LedgerEvent } from '@reelbook/ledger/decider';
import type { AnyEvent, PlacedEvent, RecordedEvent } from '@reelbook/ledger/events';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import DataLoader from 'dataloader';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { uuidArray } from './append.ts';
import { streamKey } from './idempotency-key.ts';
import { rowOf, rowsOf, tables } from './query.ts';
import { eventOf, eventRows, toRecorded } from './read-log.ts';

const READ_STREAM_LIMIT_MAX = 1_000;
const STREAMS_PER_QUERY_MAX = 256;
const FOLDS_KEPT_MAX = 1_000;
/** Reads of a row and of its events that found different versions. */
const TRIES_MAX = 20;

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

/** Folds a stream from event 1, or from a state of its on. */
export async function foldStream<State, Event extends LedgerEvent>(
  pool: pg.Pool,
  decider: Decider<State, never, Event>,
  stream: string,
  from: CurrentState<State> = { state: decider.initial, version: 0 },
): Promise<CurrentState<State>> {
  let current = from;
  for (;;) {
    const events = await readStream<Event>(pool, {
      stream,
      fromVersion: current.version + 1,
      limit: READ_STREAM_LIMIT_MAX,
    });
    const state = fold(
      decider,
      events.map((recorded) => recorded.event),
      current.state,
    );
    current = { state, version: current.version + events.length };
    if (events.length < READ_STREAM_LIMIT_MAX) return current;
  }
}

/** Per database: a process reads each event of these streams once, since events do not change. */
const folds = new WeakMap<pg.Pool, LRUCache<string, CurrentState<unknown>>>();

/** The current state by the events alone, for decisions that must not depend on the row of the stream. */
export async function foldedState<State, Event extends LedgerEvent>(
  pool: pg.Pool,
  decider: Decider<State, never, Event>,
  stream: string,
): Promise<CurrentState<State>> {
  const kept = folds.get(pool) ?? new LRUCache({ max: FOLDS_KEPT_MAX });
  folds.set(pool, kept);
  const from = kept.get(stream) as CurrentState<State> | undefined;
  const folded = await foldStream(pool, decider, stream, from);
  kept.set(stream, folded);
  return folded;
}

/** The current state in the row of a stream and by its events, at one version unless the row is wrong. */
export async function readBoth<State, Event extends LedgerEvent>(
  pool: pg.Pool,
  decider: Decider<State, never, Event>,
  stream: string,
) {
  for (let tries = 1; ; tries++) {
    const stored = await loadState(pool, decider, stream);
    const folded = await foldedState(pool, decider, stream);
    // An append between the two reads.
    if (stored.version !== folded.version && tries < TRIES_MAX) continue;
    return { stored, folded, differs: canonical(stored) !== canonical(folded) };
  }
}

/** The state in the row of a stream is not the fold of its events. */
export class StateDiffers extends Error {
  override name = 'StateDiffers';
  readonly stream: string;
  constructor(stream: string) {
    super(`the stored state of ${stream} differs from its events`);
    this.stream = stream;
  }
}

/** Like `loadState`; throws `StateDiffers` if the row is not the fold of the events. */
export const provenState =
  (pool: pg.Pool): StateLoader =>
  async (decider, stream) => {
    const { folded, differs } = await readBoth(pool, decider, stream);
    if (differs) throw new StateDiffers(stream);
    return folded;
  };
