import { formFault } from '@reelbook/audit/forms';
import { streamKey } from '@reelbook/event-store/execution';
import { chainHash, readHash } from '@reelbook/event-store/hash-chain';
import { rowOf, tables } from '@reelbook/event-store/query';
import { type EventRow, eventRows } from '@reelbook/event-store/read-log';
import {
  CannotFold,
  findChanges,
  type StreamAt,
  type TimeTravel,
  toPlain,
} from '@reelbook/inspection/point-in-time';
import { type Body, readBody } from '@reelbook/ledger/codec';
import { assertKnown, postings } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import { checkMoney } from '@reelbook/ledger/invariants';
import type { Balances } from '@reelbook/ledger/player/balances';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { parseStream } from '@reelbook/ledger/streams';
import { readPlayersNamed } from '@reelbook/projections/entries/read';
import { readSealOver } from '@reelbook/projections/ledger-seals/projection';
import { sql } from 'kysely';
import type pg from 'pg';
import { playerOr, postingAnswer, sentenceAnswer, sumsOf } from './convert.ts';

/** A failed check of a row; `check` is the audit's name for it. */
interface EventFault {
  readonly check: 'chain' | 'columns' | 'money' | 'states';
  readonly message: string;
}

interface Row extends EventRow {
  stream: string;
  version: number;
  type: string;
  time: string;
}

/**
 * The event at a position as stored, and everything derived from it, with the states of its stream before and after; null
 * where the ledger has none. Nothing of the row is trusted.
 */
export async function inspectEvent(pool: pg.Pool, travel: TimeTravel, position: number) {
  const row = await readRow(pool, position);
  if (!row) return null;
  const [previousHash, seal, neighbours] = await Promise.all([
    readHash(pool, position - 1),
    readSealOver(pool, position),
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
  const moved = (event && place && attempt(() => postings(event, place.id), faults)) || [];
  const folded =
    read && place
      ? await foldAround(travel, read.stream, row)
      : { missing: 'its body cannot be parsed', before: null, after: null };
  if (event && place && folded.before) {
    const before = place.kind === 'player' ? (folded.before.state as Balances) : NOTHING;
    attempt(() => checkMoney(event, place.id, before), faults);
  }
  if (folded.missing && read && place) faults.push({ check: 'states', message: folded.missing });
  const wallet = place?.kind === 'player' ? place.id : null;
  const known = await readPlayersNamed(pool, wallet === null ? [] : [wallet]);
  return {
    position,
    first_position: row.first_position,
    stream: read?.stream ?? '',
    kind: place?.kind ?? '',
    player: wallet === null ? null : playerOr(wallet, known),
    version: read?.version ?? 0,
    type: read?.type ?? '',
    time: read?.time ?? '',
    actor: read?.meta?.actor ?? '',
    body: row.body,
    hash: row.hash,
    previous_hash: previousHash ?? '',
    postings: moved.map(postingAnswer),
    // By asset; anything but zero is a fault.
    sums: sumsOf(moved),
    ...(event ? sentenceAnswer(sentenceOf(event)) : { facts: {}, what: '' }),
    state: folded.before && folded.after ? statesOf(folded.before, folded.after) : null,
    state_missing: folded.missing,
    round: event && roundOf({ event }),
    seal: seal && seal.from <= position ? seal.seal : null,
    faults,
    previous: neighbours?.previous ?? null,
    next: neighbours?.next ?? null,
  };
}

/** The round id in an event. */
export function roundOf({ event }: { readonly event: AnyEvent }): string | null {
  return 'round' in event.data ? (event.data.round ?? null) : null;
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
  return rowOf(pool, neighbours, 'inspect-neighbours');
}

const MISPLACED_META = 'only the first event of a command has a meta';

function readFaulty(row: Row, faults: EventFault[]): Body | null {
  try {
    const body = readBody(row.body);
    const fault = formFault('Body', body) ?? formFault(body.type, body.data);
    if (fault !== null) throw new Error(fault);
    assertKnown(body.type, row.position);
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
