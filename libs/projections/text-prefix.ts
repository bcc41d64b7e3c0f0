import { createHash } from 'node:crypto';

/** A text that anybody may choose, as a signed integer. */
export function textPrefix(text: string): number {
  return createHash('sha256').update(text, 'utf8').digest().readInt32BE(0);
}
