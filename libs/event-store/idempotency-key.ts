import { hash } from 'node:crypto';
import { canonical } from '@reelbook/ledger/codec';
import type pg from 'pg';

/** 16 bytes in hex. Hashes are kept as hex: a Buffer each would be most of this process's garbage. */
const KEY_DIGITS = 32;

/** What a player's idempotency key is called, once for all commands that take one; null for a command without a key. */
export function commandKey(wallet: string, key: string): string;
export function commandKey(wallet: string, key: string | undefined): string | null;
export function commandKey(wallet: string, key: string | undefined): string | null {
  return key === undefined ? null : `command:player:${wallet}:${key}`;
}

/** What happens once: a text scoped to its actor, as the first 16 bytes of its SHA-256 in hex. */
export function hashKey(key: string): string {
  return hash('sha256', key).slice(0, KEY_DIGITS);
}

/** A stream's name as the 16 bytes that the book knows it by: `stream_key` in migrations/0002_ledger.sql. */
export function streamKey(name: string): string {
  return hash('sha256', name).slice(0, KEY_DIGITS);
}

/** SHA-256 in hex of a request, with the keys of its objects in order, so that equal requests have equal hashes. */
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
