import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** The previous hash of the first event. */
export const GENESIS_HASH = '0'.repeat(64);

/**
 * The hash of an event in hex: SHA-256 of the 32 bytes of the hash before it, followed by its body as UTF-8. Throws for
 * a previous hash that is not hex.
 */
export function eventHash(previousHash: string, body: string): string {
  return bytesToHex(sha256(concatBytes(hexToBytes(previousHash), utf8ToBytes(body))));
}
