import { assert } from '@reelbook/ledger/assert';
import type pg from 'pg';
import {
  boolArray,
  byteaArray,
  int4Array,
  int8Array,
  textArray,
  uuidArray,
} from './binary-array.ts';
import { streamKey } from './idempotency-key.ts';

/** As in migrations/0003_append.sql. */
export const COMMANDS_PER_APPEND_MAX = 256;
export const EVENTS_PER_COMMAND_MAX = 16;

/** One decided command, ready for the book. */
export interface AppendCommand {
  /** 16 bytes in hex, see `hashKey`. */
  readonly idempotencyKey: string;
  /** 32 bytes in hex. */
  readonly requestHash: string;
  readonly stream: string;
  readonly expectedVersion: number;
  /** The configuration it was decided under; null when it depends on none. */
  readonly configVersion: number | null;
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
  | { readonly status: 'stale-config' }
  | { readonly status: 'over-cover' };

interface Row {
  status: AppendResult['status'];
  at_position: number | null;
  at_version: number;
  at_time: string;
}

/**
 * Appends up to 256 commands in one autocommit statement, one round trip and one flush to disk, and answers for
 * each in order. Throws only when the whole batch failed: then nothing of it was appended, or, when the connection
 * broke, nobody knows; sending the same commands again is safe, for their idempotency keys show it.
 */
export async function append(
  pool: pg.Pool,
  commands: readonly AppendCommand[],
): Promise<readonly AppendResult[]> {
  assert(commands.length > 0 && commands.length <= COMMANDS_PER_APPEND_MAX, 'batch size in range');
  const events = commands.flatMap((command) => command.events);
  const { rows } = await pool.query<Row>({
    name: 'append',
    text: 'select status, at_position, at_version, at_time from append($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)',
    values: [
      uuidArray(commands.map((command) => command.idempotencyKey)),
      byteaArray(commands.map((command) => command.requestHash)),
      uuidArray(commands.map((command) => streamKey(command.stream))),
      textArray(commands.map((command) => command.stream)),
      int8Array(commands.map((command) => command.expectedVersion)),
      int4Array(commands.map((command) => command.events.length)),
      int8Array(commands.map((command) => command.configVersion ?? -1)),
      int8Array(commands.map((command) => command.marginDeltaMinor)),
      boolArray(commands.map((command) => command.mustCover)),
      textArray(commands.map((command) => command.state)),
      int4Array(commands.map((command) => command.stateSchema)),
      textArray(events.map((event) => event.type)),
      textArray(events.map((event) => event.tail)),
    ],
  });
  assert(rows.length === commands.length, 'append answers every command');
  return rows.map(toResult);
}

function toResult(row: Row): AppendResult {
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
    default:
      return { status: row.status };
  }
}
