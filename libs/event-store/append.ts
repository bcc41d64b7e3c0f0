/**
 * THE APPEND: the only way into the ledger. States of a batch:
 *
 *   gathering   groups of decided commands wait in the queue, for at least one turn of the event loop, and while others
 *               keep arriving until `GATHER_MS` after the previous batch
 *   in flight   one statement, one round trip, one flush to disk; a second batch only when it is full
 *   done        every group has a result for each of its commands
 *
 * A batch that fails is sent again command by command, so that only the command that the database refuses fails.
 */
import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';
import { CLOCK_SKEW_MAX_MS, type ClockFault } from './clock.ts';
import { isUnavailable } from './db.ts';
import { streamKey } from './execution.ts';
import { noteHead } from './known-head.ts';

/** As in migrations/0003_append.sql. */
export const COMMANDS_PER_APPEND_MAX = 256;
export const EVENTS_PER_COMMAND_MAX = 16;
/**
 * A second batch is sent while one is in flight only when it is full: it waits for the lock of `ledger_head`, and a batch
 * costs Postgres as much as 50 commands. A third would only wait.
 */
const BATCHES_IN_FLIGHT_MAX = 2;
/** A batch closes when it has this many commands. */
const BATCH_TARGET = 128;
/**
 * A batch of one command costs Postgres and the gateway three to five times as much as each command of a larger one, and every
 * reader of the ledger more. So the next batch starts when it has this many groups, or this long after the previous one did.
 */
const GATHER_TARGET = 10;
const GATHER_MS = 32;
/** A wait in which no second group arrived (commands sent one after another) is tried again after this. */
const GATHER_AGAIN_MS = 400;
/** Groups that may wait for a batch. Each stream queue waits for at most one, so this limits the active streams. */
const GROUPS_QUEUED_MAX = 20_000;

/** One decided command, ready for the ledger. */
export interface AppendCommand {
  /** 16 bytes in hex, see `hashKey`. */
  readonly idempotencyKey: string;
  /** 32 bytes in hex. */
  readonly requestHash: string;
  readonly stream: string;
  readonly expectedVersion: number;
  /** The configuration version it was decided under; null when it depends on none. */
  readonly configVersion: number | null;
  /** The version of the operators' stream it was decided on; null when it depends on none. */
  readonly operatorsVersion?: number | null;
  /** How the command moves treasury minus liabilities, in minor units of token. */
  readonly marginDeltaMinor: bigint;
  /** Whether a command that lowers the margin is refused when that would take it below zero. */
  readonly mustCover: boolean;
  /** The stream's state after it, as JSON. */
  readonly state: string;
  readonly stateSchema: number;
  /** `tail` is the body from `"data":` to the closing brace; what comes before it is written in the database. */
  readonly events: readonly { readonly type: string; readonly tail: string }[];
}

export type AppendResult =
  | {
      readonly status: 'appended';
      readonly position: number;
      readonly version: number;
      readonly time: string;
    }
  | { readonly status: 'duplicate-key'; readonly position: number }
  | { readonly status: 'version-conflict'; readonly actual: number }
  | { readonly status: 'clock-skew'; readonly skewMs: number }
  | { readonly status: 'stale-config' }
  | { readonly status: 'over-cover' };

/** More work is waiting than this process accepts. The caller should respond with 503 so that the client retries. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

interface Group {
  readonly commands: readonly AppendCommand[];
  resolve(results: readonly (AppendResult | Error)[]): void;
}

/** Group commit: commands that arrive while a batch is being written share the next one, and its flush to disk. */
export interface Batcher {
  /**
   * Appends the commands of one group in one batch, in order. Returns a result for each; an Error is the result of a
   * command that the database does not accept, or of each command when the database was away.
   */
  append(commands: readonly AppendCommand[]): Promise<readonly (AppendResult | Error)[]>;
  /** Resolves when all submitted commands have a result. */
  idle(): Promise<void>;
}

export function startBatcher(
  pool: pg.Pool,
  onClockFault: (fault: ClockFault) => void = () => {},
): Batcher {
  const queue: Group[] = [];
  const waiting: (() => void)[] = [];
  /** Commands in `queue`. */
  let queued = 0;
  let inFlight = 0;
  let scheduled = false;
  /** Times of `performance.now`: the start of the last batch, and of the last wait. */
  let sentAt = Number.NEGATIVE_INFINITY;
  let waitedAt = Number.NEGATIVE_INFINITY;
  /** Whether the last wait brought a second group. */
  let gathers = false;
  let timer: NodeJS.Timeout | null = null;

  /** In the next turn of the event loop, so that all callers of the finished batch can join the next one. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      pump();
    });
  }

  /** Whether what is queued waits for more: until the timer, or `GATHER_TARGET`. */
  function isGathering(now: number): boolean {
    if (inFlight > 0 || queue.length === 0 || queue.length >= GATHER_TARGET) return false;
    if (timer) return true;
    const waitMs = gathers || now - waitedAt > GATHER_AGAIN_MS ? sentAt + GATHER_MS - now : 0;
    if (waitMs <= 0) return false;
    waitedAt = now;
    timer = setTimeout(() => {
      timer = null;
      gathers = queue.length > 1;
      sentAt = Number.NEGATIVE_INFINITY;
      pump();
    }, waitMs);
    return true;
  }

  function pump(): void {
    const now = performance.now();
    if (isGathering(now)) return;
    if (timer) {
      clearTimeout(timer);
      timer = null;
      gathers = true;
    }
    while (queued >= (inFlight === 0 ? 1 : BATCH_TARGET) && inFlight < BATCHES_IN_FLIGHT_MAX) {
      const batch = takeBatch(queue);
      queued -= batch.reduce((sum, { commands }) => sum + commands.length, 0);
      inFlight++;
      sentAt = now;
      void send(pool, batch, onClockFault).finally(() => {
        inFlight--;
        schedule();
      });
    }
    if (inFlight === 0 && queue.length === 0) for (const done of waiting.splice(0)) done();
  }

  return {
    append(commands) {
      if (queue.length >= GROUPS_QUEUED_MAX) return Promise.reject(new Overloaded('append queue'));
      return new Promise((resolve) => {
        queue.push({ commands, resolve });
        queued += commands.length;
        schedule();
      });
    },
    idle() {
      if (inFlight === 0 && queue.length === 0) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/** Complete groups only: the commands of a group were decided on each other. */
function takeBatch(queue: Group[]): Group[] {
  const batch: Group[] = [];
  let size = 0;
  while (queue[0] && size < BATCH_TARGET) {
    if (size + queue[0].commands.length > COMMANDS_PER_APPEND_MAX) break;
    size += queue[0].commands.length;
    batch.push(queue.shift() as Group);
  }
  return batch;
}

async function send(
  pool: pg.Pool,
  batch: readonly Group[],
  onClockFault: (fault: ClockFault) => void,
): Promise<void> {
  const commands = batch.flatMap((group) => group.commands);
  const results = await appendOrIsolate(pool, commands);
  let at = 0;
  for (const { commands, resolve } of batch) {
    resolve(results.slice(at, at + commands.length));
    at += commands.length;
  }
  const fault = clockFaultOf(results);
  if (fault) onClockFault(fault);
}

/** All commands of a batch have the same time and the same clocks, so the first result decides. */
function clockFaultOf(results: readonly (AppendResult | Error)[]): ClockFault | null {
  for (const result of results) {
    if (result instanceof Error) continue;
    if (result.status === 'clock-skew') return { skewMs: result.skewMs };
    if (result.status !== 'appended') continue;
    // One maximum for the difference of the clocks, one for the ledger.
    const ledgerAheadMs = Date.parse(result.time) - Date.now();
    return ledgerAheadMs > 2 * CLOCK_SKEW_MAX_MS ? { ledgerAheadMs } : null;
  }
  return null;
}

/** Sends a batch that failed again, command by command. */
async function appendOrIsolate(
  pool: pg.Pool,
  commands: readonly AppendCommand[],
): Promise<readonly (AppendResult | Error)[]> {
  try {
    return await append(pool, commands);
  } catch (error) {
    if (isUnavailable(error) || commands.length === 1) return commands.map(() => error as Error);
  }
  const results: (AppendResult | Error)[] = [];
  for (const command of commands) {
    results.push(...(await appendOrIsolate(pool, [command])));
  }
  return results;
}

interface Row {
  status: AppendResult['status'];
  at_position: number | null;
  at_version: number;
  at_time: string;
}

/**
 * Appends up to 256 commands in one autocommit statement, one round trip and one flush to disk, and returns a result
 * for each in order. Throws only when the entire batch failed: then nothing was appended, or, when the connection
 * broke, the outcome is unknown; sending the same commands again is safe, because their idempotency keys detect it.
 */
export async function append(
  pool: pg.Pool,
  commands: readonly AppendCommand[],
): Promise<readonly AppendResult[]> {
  assert(commands.length > 0 && commands.length <= COMMANDS_PER_APPEND_MAX, 'batch size in range');
  const events = commands.flatMap((command) => command.events);
  const processMs = Date.now();
  const isOnOperators = commands.some(({ operatorsVersion = null }) => operatorsVersion !== null);
  const call = isOnOperators ? 'append_approved' : 'append';
  const last = isOnOperators ? ',$15' : '';
  const { rows } = await pool.query<Row>({
    name: call,
    text: `select status, at_position, at_version, at_time from ${call}($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14${last})`,
    values: [
      uuidArray(commands.map((command) => command.idempotencyKey)),
      byteaArray(commands.map((command) => command.requestHash)),
      uuidArray(commands.map((command) => streamKey(command.stream))),
      textArray(commands.map((command) => command.stream)),
      int8Array(commands.map((command) => command.expectedVersion)),
      int4Array(commands.map((command) => command.events.length)),
      int8Array(commands.map((command) => command.configVersion ?? -1)),
      // As text: unlike an int8, a numeric has no limit.
      `{${commands.map((command) => command.marginDeltaMinor).join()}}`,
      boolArray(commands.map((command) => command.mustCover)),
      textArray(commands.map((command) => command.state)),
      int4Array(commands.map((command) => command.stateSchema)),
      textArray(events.map((event) => event.type)),
      textArray(events.map((event) => event.tail)),
      processMs,
      ...(isOnOperators
        ? [int8Array(commands.map(({ operatorsVersion }) => operatorsVersion ?? -1))]
        : []),
    ],
  });
  assert(rows.length === commands.length, 'append returns a result for every command');
  const results = rows.map((row) => toResult(row, processMs));
  for (const [index, result] of results.entries()) {
    if (result.status !== 'appended') continue;
    const count = commands[index]?.events.length ?? 1;
    noteHead(pool, { position: result.position + count - 1, time: result.time });
  }
  return results;
}

function toResult(row: Row, processMs: number): AppendResult {
  switch (row.status) {
    case 'appended':
      assert(row.at_position, 'an appended command has a position');
      return {
        status: row.status,
        position: row.at_position,
        version: row.at_version,
        time: row.at_time,
      };
    case 'duplicate-key':
      assert(row.at_position, 'a used key has a position');
      return { status: row.status, position: row.at_position };
    case 'version-conflict':
      return { status: row.status, actual: row.at_version };
    case 'clock-skew':
      return { status: row.status, skewMs: processMs - Date.parse(row.at_time) };
    default:
      return { status: row.status };
  }
}

/**
 * One-dimensional Postgres arrays in the binary wire format. `pg` sends a Buffer as a binary parameter; its own text
 * arrays are quoted here and unquoted in Postgres, which costs a quarter of the append rate
 * (format: src/backend/utils/adt/arrayfuncs.c, array_recv). Each array is written into one Buffer: small Buffers for
 * every element would be most of this process's garbage.
 */
const EMPTY_HEADER_BYTES = 12;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const UUID_BYTES = 16;
const OID = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, uuid: 2950 } as const;

/** `write` puts the element at an offset; `bytes` returns its length. */
function build<T>(
  oid: number,
  elements: readonly T[],
  bytes: (element: T) => number,
  write: (out: Buffer, element: T, at: number) => void,
): Buffer {
  const lengths = elements.map(bytes);
  const total = lengths.reduce((sum, length) => sum + LENGTH_BYTES + length, HEADER_BYTES);
  const out = Buffer.allocUnsafe(total);
  out.writeInt32BE(elements.length === 0 ? 0 : 1, 0); // dimensions
  out.writeInt32BE(0, 4); // no nulls
  out.writeInt32BE(oid, 8);
  if (elements.length === 0) return out.subarray(0, EMPTY_HEADER_BYTES);
  out.writeInt32BE(elements.length, 12);
  out.writeInt32BE(1, 16); // lower bound
  let at = HEADER_BYTES;
  for (const [index, element] of elements.entries()) {
    const length = lengths[index] ?? 0;
    out.writeInt32BE(length, at);
    write(out, element, at + LENGTH_BYTES);
    at += LENGTH_BYTES + length;
  }
  return out;
}

function textArray(values: readonly string[]): Buffer {
  return build(OID.text, values, Buffer.byteLength, (out, value, at) =>
    out.write(value, at, 'utf8'),
  );
}

/** Bytes in hex. */
function byteaArray(values: readonly string[]): Buffer {
  return build(
    OID.bytea,
    values,
    (value) => value.length / 2,
    (out, value, at) => out.write(value, at, 'hex'),
  );
}

/** UUIDs as 32 hex digits. */
export function uuidArray(values: readonly string[]): Buffer {
  return build(
    OID.uuid,
    values,
    () => UUID_BYTES,
    (out, value, at) => out.write(value, at, UUID_BYTES, 'hex'),
  );
}

function int4Array(values: readonly number[]): Buffer {
  return build(
    OID.int4,
    values,
    () => 4,
    (out, value, at) => out.writeInt32BE(value, at),
  );
}

function int8Array(values: readonly number[]): Buffer {
  return build(
    OID.int8,
    values,
    () => 8,
    (out, value, at) => out.writeBigInt64BE(BigInt(value), at),
  );
}

function boolArray(values: readonly boolean[]): Buffer {
  return build(
    OID.bool,
    values,
    () => 1,
    (out, value, at) => out.writeUInt8(value ? 1 : 0, at),
  );
}
