import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { createDraws, isServerSeed, type RoundDraws, type RoundSeeds, seedBytes } from './draw.ts';

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

/**
 * Whether a revealed server seed matches a commitment. False for text that is not a seed.
 */
export function seedMatches(serverSeed: string, serverSeedHash: string): boolean {
  return isServerSeed(serverSeed) && hashServerSeed(serverSeed) === serverSeedHash;
}

/**
 * Draws a round again from its revealed seed.
 * @returns the result of `play` with the round's draws; null if the seed does not match the commitment.
 */
export function recomputeRound<Result>(
  seeds: RoundSeeds & { readonly serverSeedHash: string },
  play: (draws: RoundDraws) => Result,
): { readonly result: Result } | null {
  if (!seedMatches(seeds.serverSeed, seeds.serverSeedHash)) return null;
  return { result: play(createDraws(seeds)) };
}

/** The previous hash of the first event. */
export const GENESIS_HASH = '0'.repeat(64);

/**
 * The hash of an event in hex: SHA-256 of the 32 bytes of the hash before it, followed by its body as UTF-8. Throws for
 * a previous hash that is not hex.
 */
export function eventHash(previousHash: string, body: string): string {
  return bytesToHex(sha256(concatBytes(hexToBytes(previousHash), utf8ToBytes(body))));
}
