import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { seedBytes } from './draw.ts';

/** Size of the cache: checking many rounds needs the same seed for each of them. */
const COMMITMENTS_KEPT_MAX = 10_000;
const commitments = new Map<string, string>();

/**
 * The commitment to a server seed: SHA-256 of its 32 BYTES (not of the 64 hex characters), in hex.
 * Published before the seed is used; anyone with the revealed seed can recompute it.
 */
export function hashServerSeed(serverSeed: string): string {
  const known = commitments.get(serverSeed);
  if (known !== undefined) return known;
  const commitment = bytesToHex(sha256(seedBytes(serverSeed)));
  if (commitments.size >= COMMITMENTS_KEPT_MAX) commitments.clear();
  commitments.set(serverSeed, commitment);
  return commitment;
}

/** SHA-256 of a text's UTF-8 bytes, in hex. Identifies published rules by their content. */
export function hashText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
