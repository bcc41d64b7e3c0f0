import { createHash } from 'node:crypto';

/** What the first event of the book is chained to. */
export const GENESIS_HASH = '0'.repeat(64);

/** The hash of an event in hex: sha256(previous hash || body), as migrations/0003_append.sql seals it. */
export function chainHash(previousHash: string, body: string): string {
  return createHash('sha256').update(previousHash, 'hex').update(body, 'utf8').digest('hex');
}
