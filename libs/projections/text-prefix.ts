import { createHash } from 'node:crypto';

/** The first bytes of the hash of a text as a signed integer. */
export function textPrefix(text: string): number {
  return createHash('sha256').update(text, 'utf8').digest().readInt32BE(0);
}
