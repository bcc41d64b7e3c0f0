import { streamKey } from '@reelbook/event-store/execution';
import { chainHash, readHash } from '@reelbook/event-store/hash-chain';
import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { type EventRow, eventRows, readHead, toRecorded } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { type Body, readBody } from '@reelbook/ledger/codec';
import { postings } from '@reelbook/ledger/event-types';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import { checkMoney } from '@reelbook/ledger/invariants';
import type { Asset, Posting } from '@reelbook/ledger/money';
import type { Balances } from '@reelbook/ledger/player/balances';
import { parseStream, type StreamKind, WALLET_PATTERN } from '@reelbook/ledger/streams';
import type { ExplorerFilter } from '@reelbook/projections/entries/filter';
import { type PlayerNamed, readExplorer, searchPlayers } from '@reelbook/projections/entries/read';
import { findHashes } from '@reelbook/projections/entries/seek';
import { readSealOver } from '@reelbook/projections/ledger-seals/projection';
import { sql } from 'kysely';
import type pg from 'pg';
import {
  CannotFold,
  type Change,
  findChanges,
  type StreamAt,
  type TimeTravel,
  toPlain,
} from './point-in-time.ts';

/** A failed check of a row; `check` is the audit's name for it. */
interface EventFault {
  readonly check: 'chain' | 'columns' | 'money' | 'states';
  readonly message: string;
}

/** An event as stored, and everything derived from it. Nothing of the row is trusted. */
interface InspectedEvent {
  readonly position: number;
  readonly firstPosition: number;
  readonly body: string;
  readonly hash: string;
  readonly previousHash: string;
  /** Null where the body cannot be read. */
  readonly read: Body | null;
  readonly kind: StreamKind | null;
  readonly owner: string;
  readonly postings: readonly Posting[];
  /** Per asset that it moves. */
  readonly sums: ReadonlyMap<Asset, bigint>;
  /** Plain JSON; null where the stream cannot be folded, `stateMissing` has the reason. */
  readonly state: {
    readonly before: unknown;
    readonly after: unknown;
    readonly changes: Change[];
  } | null;
  readonly stateMissing: string | null;
  /** The seal over it. */
  readonly seal: number | null;
  readonly faults: EventFault[];
  /** Positions of its neighbours in the stream. */
  readonly previous: number | null;
  readonly next: number | null;
  readonly head: number;
}

interface Row extends EventRow {
  stream: string;
  version: number;
  type: string;
  time: string;
}

/** The event at a position with the states of its stream before and after; null where the ledger has none. */
export async function inspectEvent(
  pool: pg.Pool,
  travel: TimeTravel,
  position: number,
): Promise<InspectedEvent | null> {
  const row = await readRow(pool, position);
  if (!row) return null;
  const [previousHash, seal, head, neighbours] = await Promise.all([
    readHash(pool, position - 1),
    readSealOver(pool, position),
    readHead(pool),
    readNeighbours(pool, row),
  ]);
  const faults: EventFault[] = [];
  if (previousHash === null || chainHash(previousHash, row.body) !== row.hash) {
    faults.push({
      check: 'chain',
      message: 'its hash does not match the previous hash and its body',
    });
  }
  const read = readFaulty(row, faults);
  const place = read && placeOf(read.stream);
  if (read) checkColumns(row, read, faults);
  if (read && !place) faults.push({ check: 'columns', message: `unknown stream ${read.stream}` });
  const event = read && ({ type: read.type, data: read.data } as AnyEvent);
  const moved = event && place ? attempt(() => postings(event, place.id), faults) : null;
  const folded =
    read && place
      ? await foldAround(travel, read.stream, row)
      : { missing: 'its body cannot be parsed', before: null, after: null };
  if (event && place && folded.before) {
    const before = place.kind === 'player' ? (folded.before.state as Balances) : NOTHING;
    attempt(() => checkMoney(event, place.id, before), faults);
  }
  if (folded.missing && read && place) faults.push({ check: 'states', message: folded.missing });
  return {
    position,
    firstPosition: row.first_position,
    body: row.body,
    hash: row.hash,
    previousHash: previousHash ?? '',
    read,
    kind: place?.kind ?? null,
    owner: place?.id ?? '',
    postings: moved ?? [],
    sums: sumsOf(moved ?? []),
    state: folded.before && folded.after ? statesOf(folded.before, folded.after) : null,
    stateMissing: folded.missing,
    seal: seal && seal.from <= position ? seal.seal : null,
    faults,
    ...neighbours,
    head: head.position,
  };
}

const NOTHING: Balances = { pointsMinor: 0n, tokenMinor: 0n };

async function readRow(pool: pg.Pool, position: number): Promise<Row | null> {
  const row = eventRows(sql`true`)
    .select(['stream', 'version', 'type', 'recorded_at as time'])
    .where('position', '=', position);
  return rowOf(pool, row, 'inspect-row');
}

async function readNeighbours(pool: pg.Pool, { stream, version }: Row) {
  const at = (of: number) =>
    tables
      .selectFrom('events')
      .select('position')
      .where('stream', '=', stream)
      .where('version', '=', of);
  const neighbours = tables.selectNoFrom([
    at(version - 1).as('previous'),
    at(version + 1).as('next'),
  ]);
  const found = await rowOf(pool, neighbours, 'inspect-neighbours');
  return found ?? { previous: null, next: null };
}

const MISPLACED_META = 'only the first event of a command has a meta';

function readFaulty(row: Row, faults: EventFault[]): Body | null {
  try {
    const body = readBody(row.body);
    if (body.data === null || typeof body.data !== 'object') throw new Error('it has no data');
    const begins = row.first_position === row.position;
    if (begins !== (body.meta !== null)) throw new Error(MISPLACED_META);
    return { ...body, meta: body.meta ?? readBody(row.first_body ?? '').meta };
  } catch (error) {
    faults.push({ check: 'columns', message: `its body cannot be parsed: ${String(error)}` });
    return null;
  }
}

function placeOf(stream: string) {
  try {
    return parseStream(stream);
  } catch {
    return null;
  }
}

function checkColumns(row: Row, body: Body, faults: EventFault[]): void {
  const differs =
    (body.position !== row.position && 'position') ||
    (body.version !== row.version && 'version') ||
    (body.type !== row.type && 'type') ||
    (body.time !== row.time && 'time') ||
    (streamKey(body.stream) !== row.stream.replaceAll('-', '') && 'stream');
  if (differs) faults.push({ check: 'columns', message: `column and body differ in ${differs}` });
}

function attempt<T>(action: () => T, faults: EventFault[]): T | null {
  try {
    return action();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    faults.push({ check: 'money', message });
    return null;
  }
}

interface Around {
  readonly before: StreamAt | null;
  readonly after: StreamAt | null;
  readonly missing: string | null;
}

async function foldAround(travel: TimeTravel, stream: string, row: Row): Promise<Around> {
  try {
    const before = await travel.streamAt(stream, row.position - 1);
    const after = await travel.streamAt(stream, row.position);
    return { before, after, missing: null };
  } catch (error) {
    if (!(error instanceof CannotFold)) throw error;
    return { before: null, after: null, missing: error.message };
  }
}

function statesOf(before: StreamAt, after: StreamAt) {
  const [was, is] = [toPlain(before.state), toPlain(after.state)];
  return { before: was, after: is, changes: findChanges(was, is) };
}

function sumsOf(moved: readonly Posting[]): ReadonlyMap<Asset, bigint> {
  const sums = new Map<Asset, bigint>();
  for (const { asset, deltaMinor } of moved) sums.set(asset, (sums.get(asset) ?? 0n) + deltaMinor);
  return sums;
}

const PLAYERS_MAX = 10;
/** Players with the same start whose end is compared. */
const PLAYERS_COMPARED_MAX = 200;
const HASHES_MAX = 10;
const POSITION = /^#?\d+([,\s'\u00a0\u202f]\d{3})*$/;
const POSITION_DIGITS_MAX = 15;

/** A match of an identifier; `filter` finds its events in the explorer. */
interface Match {
  readonly kind:
    | 'event'
    | 'player'
    | 'round'
    | 'command'
    | 'correlation'
    | 'withdrawal'
    | 'signature';
  readonly label: string;
  /** Of its newest event. */
  readonly position: number | null;
  readonly wallet: string | null;
  readonly filter: ExplorerFilter;
}

/**
 * The matches of an identifier: a position, the hash of an event or its start, a round, a command, a request, a withdrawal, a wallet, a
 * public id, a nickname, the signature of a transaction. `text` has at most 200 characters.
 */
export async function findAnything(pool: pg.Pool, text: string): Promise<readonly Match[]> {
  const q = text.trim();
  if (q.startsWith('#')) return findPosition(pool, q);
  if (q === '') return [];
  const found = await Promise.all([
    findPosition(pool, q),
    findByHash(pool, q),
    findExact(pool, q),
    findPlayers(pool, q),
  ]);
  return found.flat();
}

/** With or without `#` and thousands separators: `#4,118`. */
async function findPosition(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const digits = POSITION.test(q) ? q.replace(/\D/g, '') : '';
  if (digits === '' || digits.length > POSITION_DIGITS_MAX) return [];
  const position = Number(digits);
  const { position: head } = await readHead(pool);
  if (position < 1 || position > head) return [];
  return [eventAt(position, `event #${position}`)];
}

/** A hash, or its start as it is displayed: at least 8 digits, then an ellipsis and its end or nothing. */
async function findByHash(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const { start, end } = partOf(q.toLowerCase());
  if (!/^[0-9a-f]{8,64}$/.test(start) || !/^[0-9a-f]{0,64}$/.test(end)) return [];
  const found = await findHashes(pool, { start, end, limit: HASHES_MAX });
  return found.map((position) => eventAt(position, `event #${position}, by its hash`));
}

function eventAt(position: number, label: string): Match {
  const filter = { fromPosition: position, toPosition: position };
  return { kind: 'event', label, position, wallet: null, filter };
}

/** By each column that may contain it, each with its own index. */
async function findExact(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const requested: [Match['kind'], ExplorerFilter][] = [
    ['round', { round: q }],
    ['withdrawal', { withdrawal: q }],
    ['correlation', { correlation: q }],
  ];
  if (/^[0-9a-f]{32}$/.test(q)) requested.push(['command', { command: q }]);
  if (/^[1-9A-HJ-NP-Za-km-z]{64,100}$/.test(q)) requested.push(['signature', { signature: q }]);
  const found = await Promise.all(
    requested.map(async ([kind, filter]): Promise<readonly Match[]> => {
      const { entries } = await readExplorer(pool, { filter, limit: 1 });
      const [newest] = entries;
      if (!newest) return [];
      const { position, player } = newest;
      return [{ kind, label: `${kind} ${q}`, position, wallet: player?.wallet ?? null, filter }];
    }),
  );
  return found.flat();
}

async function findPlayers(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const { start, end } = partOf(q);
  const limit = end === '' ? PLAYERS_MAX : PLAYERS_COMPARED_MAX;
  const begun = start === '' ? [] : await searchPlayers(pool, { beginning: start, limit });
  const players = begun.filter(({ wallet }) => wallet.endsWith(end)).slice(0, PLAYERS_MAX);
  const exact = (player: PlayerNamed) =>
    WALLET_PATTERN.test(q) ? player.wallet === q : player.publicId === q;
  return players
    .toSorted((a, b) => Number(exact(b)) - Number(exact(a)))
    .map(({ wallet, publicId, nickname }) => ({
      kind: 'player',
      label: nickname === null ? `player ${publicId}` : `player ${nickname} (${publicId})`,
      position: null,
      wallet,
      filter: { wallet },
    }));
}

/** The start and end of an abbreviated identifier, `AbCd…WxYz`; the end is empty without an ellipsis. */
function partOf(typed: string): { readonly start: string; readonly end: string } {
  const [start = '', end = ''] = typed.split(/\s*(?:…|\.{2,})\s*/);
  return { start, end };
}

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
    return event ? [{ ...event, previousHash }] : [];
  });
}
