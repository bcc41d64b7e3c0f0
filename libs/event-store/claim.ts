import { hash } from 'node:crypto';
import type pg from 'pg';

/** What a command claims: a text scoped to its actor, as 16 bytes of its SHA-256. */
export function claimKey(claim: string): Buffer {
  return hash('sha256', claim, 'buffer').subarray(0, 16);
}

/** A stream's name as the 16 bytes that the book knows it by: `stream_key` in migrations/0002_book.sql. */
export function streamKey(name: string): Buffer {
  return hash('sha256', name, 'buffer').subarray(0, 16);
}

/** SHA-256 of a request, with the keys of its objects in order, so that equal requests have equal hashes. */
export function hashRequest(request: unknown): Buffer {
  return hash('sha256', canonical(request), 'buffer');
}

function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner) => {
    if (typeof inner === 'bigint') return inner.toString();
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Who holds a claim: the hash of the request that took it and the position of its first event; null if nobody. */
export async function findClaim(
  pool: pg.Pool,
  key: Buffer,
): Promise<{ requestHash: Buffer; position: number } | null> {
  const { rows } = await pool.query<{ request_hash: Buffer; position: number }>({
    name: 'find-claim',
    text: 'select request_hash, position from claims where key = $1',
    values: [key.toString('hex')],
  });
  const row = rows[0];
  return row ? { requestHash: row.request_hash, position: row.position } : null;
}
