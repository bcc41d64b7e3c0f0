import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { anyOf, rowOf, rowsOf, tables } from './query.ts';

/** The previous hash of the first event. */
export const GENESIS_HASH = '0'.repeat(64);

/** The hash of an event in hex: sha256(previous hash || body), as migrations/0003_append.sql seals it. */
export function chainHash(previousHash: string, body: string | Uint8Array): string {
  const hash = createHash('sha256').update(previousHash, 'hex');
  return (typeof body === 'string' ? hash.update(body, 'utf8') : hash.update(body)).digest('hex');
}

/** What a message asserts: events that follow `previousHash` and end with `hash` at `lastPosition`. */
interface Claimed {
  readonly lastPosition: number;
  readonly previousHash: string;
  readonly hash: string;
  /** Empty: the message only names positions. */
  texts(): readonly Uint8Array[];
}

/**
 * For each message the hashes of its events, or null unless all of them are the ledger's: their texts must chain to the
 * hash that the ledger has at the last position. That proves every text and every position before it.
 */
export async function proveEvents(
  pool: pg.Pool,
  messages: readonly Claimed[],
): Promise<readonly (readonly string[] | null)[]> {
  const last = messages.map(({ lastPosition }) => lastPosition);
  const rows = await rowsOf(
    pool,
    HASHES.where('position', '=', anyOf('bigint', last)),
    'read-hashes',
  );
  const ledger = new Map(rows.map(({ position, hash }) => [position, hash]));
  return messages.map(({ lastPosition, previousHash, hash, texts }) => {
    if (ledger.get(lastPosition) !== hash) return null;
    let last = previousHash;
    const hashes = texts().map((text) => (last = chainHash(last, text)));
    return hashes.length === 0 || last === hash ? hashes : null;
  });
}

/** The hash of the event at a position in hex, genesis for 0, null where the ledger has none. */
export async function readHash(pool: pg.Pool, position: number): Promise<string | null> {
  if (position === 0) return GENESIS_HASH;
  return (await rowOf(pool, HASHES.where('position', '=', position), 'read-hash'))?.hash ?? null;
}

const HASHES = tables
  .selectFrom('events')
  .select(['position', sql<string>`encode(hash, 'hex')`.as('hash')]);
