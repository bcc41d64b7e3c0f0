import { hash, randomUUID } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';
import { canonical } from '@reelbook/ledger/codec';
import type { Decider, LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import type { Rejection } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { untilReplicated } from './db.ts';

/** The input of the command executor. `prepare` runs inside its loop, on the state that the command is decided on. */
export interface Execution<State, Command, Event extends LedgerEvent> {
  readonly decider: Decider<State, Command, Event>;
  readonly stream: string;
  /**
   * Idempotency key `<scope>:<name>`, such as `player-<wallet>:command:<the client's key>`. Null: the command happens as
   * often as it is sent.
   */
  readonly idempotencyKey: string | null;
  /** The request as JSON: the same idempotency key with another request is refused. */
  readonly request: unknown;
  readonly meta: { readonly correlation: string; readonly actor: string };
  /** `prepare` reads the stream's events: earlier commands of the queue are appended before. */
  readonly readsStream?: boolean;
  /** Fetches what the decision needs; the decider checks the guards. Called again when the state has changed. */
  prepare(state: State): Promise<Prepared<Command> | Rejection>;
}

export interface Prepared<Command> {
  readonly command: Command;
  /** The configuration version it was prepared under; null when it depends on none. */
  readonly configVersion: number | null;
  /** The version of the operators' stream that it was decided on: with another one, it is decided again. */
  readonly operatorsVersion?: number;
}

/** The result for the caller. */
export type Executed<State, Event> =
  | {
      readonly kind: 'done';
      readonly events: readonly PlacedEvent<Event>[];
      /** The state after it; null for a replayed result, which is built from its events alone. */
      readonly state: State | null;
      readonly version: number;
      /** Position of its last event; 0 for a command that changed nothing. */
      readonly position: number;
      readonly replayed: boolean;
    }
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'key-reused' };

/** 16 bytes in hex. Hashes are kept as hex: a Buffer for each would be most of this process's garbage. */
const KEY_DIGITS = 32;
const SCOPE_DIGITS = 8;

/** The idempotency key of a player's command; null for a command without one. */
export function commandKey(wallet: string, key: string): string;
export function commandKey(wallet: string, key: string | undefined): string | null;
export function commandKey(wallet: string, key: string | undefined): string | null {
  return key === undefined ? null : `${playerStream(wallet)}:command:${key}`;
}

/**
 * The key `<scope>:<name>` as 16 bytes in hex: 4 of the SHA-256 of its scope, 12 of the SHA-256 of the entire key. The keys
 * of one scope are adjacent in the index, so a player's commands find their pages in memory in a ledger of any size.
 */
export function hashKey(key: string): string {
  const scopeEnd = key.indexOf(':');
  assert(scopeEnd > 0, 'an idempotency key is <scope>:<name>');
  const scope = hash('sha256', key.slice(0, scopeEnd));
  return scope.slice(0, SCOPE_DIGITS) + hash('sha256', key).slice(SCOPE_DIGITS, KEY_DIGITS);
}

/** The key of a command that may happen as often as it is sent: 4 bytes of its stream's hash, 12 random ones. */
export function randomKey(stream: string): string {
  const random = randomUUID().replaceAll('-', '');
  return hash('sha256', stream).slice(0, SCOPE_DIGITS) + random.slice(SCOPE_DIGITS);
}

/** The 16 bytes that identify a stream in the ledger: `stream_key` in migrations/0002_ledger.sql. */
export function streamKey(name: string): string {
  return hash('sha256', name).slice(0, KEY_DIGITS);
}

/** SHA-256 in hex of a request with sorted object keys, so that equal requests have equal hashes. */
export function hashRequest(request: unknown): string {
  return hash('sha256', canonical(request));
}

/**
 * The command that used a key: the hash of its request and the position of its first event; null if none did. Its caller
 * acts on the command or acknowledges it, so a failover must not lose it.
 */
export async function findIdempotencyKey(
  pool: pg.Pool,
  key: string,
): Promise<{ requestHash: string; position: number } | null> {
  const { rows } = await pool.query<{ request_hash: Buffer; position: number }>({
    name: 'find-idempotency-key',
    text: 'select request_hash, position from idempotency_keys where key = $1',
    values: [key],
  });
  const row = rows[0];
  if (row) await untilReplicated(pool);
  return row ? { requestHash: row.request_hash.toString('hex'), position: row.position } : null;
}
