import { createHash } from 'node:crypto';
import type pg from 'pg';

/** What the first event of the book is chained to. */
export const GENESIS_HASH = '0'.repeat(64);

/** The hash of an event in hex: sha256(previous hash || body), as migrations/0003_append.sql seals it. */
export function chainHash(previousHash: string, body: string): string {
  return createHash('sha256').update(previousHash, 'hex').update(body, 'utf8').digest('hex');
}

/** The hash of the event at a position in hex, genesis for 0, null where the book has none. */
export async function readHash(pool: pg.Pool, position: number): Promise<string | null> {
  if (position === 0) return GENESIS_HASH;
  const { rows } = await pool.query<{ hash: string }>({
    name: 'read-hash',
    text: `select encode(hash, 'hex') as hash from events where position = $1`,
    values: [position],
  });
  return rows[0]?.hash ?? null;
}
