import { hash, randomUUID } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';
import { canonical } from '@reelbook/ledger/codec';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

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

/** The command that used a key: the hash of its request and the position of its first event; null if none did. */
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
  return row ? { requestHash: row.request_hash.toString('hex'), position: row.position } : null;
}
