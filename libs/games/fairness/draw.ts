import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** A server seed is 32 random bytes, written as 64 lower-case hex digits. */
const SERVER_SEED_PATTERN = /^[0-9a-f]{64}$/;

export function isServerSeed(text: string): boolean {
  return SERVER_SEED_PATTERN.test(text);
}

/**
 * The 32 bytes of a seed's hex digits. Throws RangeError for anything but a server seed.
 */
export function seedBytes(serverSeed: string): Uint8Array {
  if (!isServerSeed(serverSeed)) throw new RangeError('a server seed is 64 lower-case hex digits');
  return hexToBytes(serverSeed);
}

/** Everything that determines a round's draws. `nonce` counts the rounds of one pair of seeds, from 0. */
export interface RoundSeeds {
  /** 64 hex digits. */
  readonly serverSeed: string;
  /** No colon: it separates the parts of the message. */
  readonly clientSeed: string;
  readonly nonce: number;
}

/**
 * The draws of one round, in order. A game takes as many as it needs; nothing else is random.
 */
export interface Draws {
  /**
   * The next draw: an integer from 0 to n - 1, each equally likely. n is an integer from 1 to 2^32.
   */
  below(n: number): number;
}

/** The source of a round's chance: its draws, or its seed, from which a simulation takes its own draws. */
export interface RoundDraws extends Draws {
  /** See `roundSeedOf`. */
  roundSeed(): string;
}

const BYTES_A_DRAW = 4;
const VALUES = 2 ** 32;

/** HMAC-SHA256 of a text's UTF-8 bytes: 32 bytes. */
export type HmacSha256 = (key: Uint8Array, message: string) => Uint8Array;

/** In plain JavaScript, for browsers and verifiers. */
const portableHmac: HmacSha256 = (key, message) => hmac(sha256, key, utf8ToBytes(message));

/**
 * Starts the draws of one round. Block c (c = 0, 1, 2, ...) is
 *
 *   HMAC-SHA256(key, message) where key = the 32 BYTES of the server seed
 *   and message = the UTF-8 text "<client seed>:<nonce>:<c>"
 *
 * with nonce and c in plain decimal. Its 32 bytes are eight unsigned 32-bit big-endian numbers,
 * used in order; then the next block. `below(n)` takes the next number v: if v >= 2^32 - (2^32 mod
 * n) it is discarded and the next is taken, else the draw is v mod n. Every call consumes at
 * least one number, `below(1)` too. Throws RangeError for invalid seeds or bounds. `hmac` may be
 * a faster implementation.
 */
export function createDraws(seeds: RoundSeeds, hmac: HmacSha256 = portableHmac): RoundDraws {
  const key = keyOf(seeds);
  const { clientSeed, nonce } = seeds;
  const draws = drawsOf(hmac, key, (cursor) => `${clientSeed}:${nonce}:${cursor}`);
  return { ...draws, roundSeed: () => roundSeedOf(seeds, hmac) };
}

/**
 * The seed of one round, 64 hex digits: HMAC-SHA256(key, message) where key = the 32 BYTES of the
 * server seed and message = the UTF-8 text "<client seed>:<nonce>". It reveals the complete round,
 * but neither the server seed nor any other round. Throws RangeError as `createDraws` does.
 */
export function roundSeedOf(seeds: RoundSeeds, hmac: HmacSha256 = portableHmac): string {
  return bytesToHex(hmac(keyOf(seeds), `${seeds.clientSeed}:${seeds.nonce}`));
}

/**
 * The draws from a round's seed: as in `createDraws`, but block c (0, 1, 2, ...) is
 * HMAC-SHA256(key = the 32 BYTES of the round's seed, message = c in plain decimal).
 */
export function createDrawsOfRound(roundSeed: string): Draws {
  return drawsOf(portableHmac, seedBytes(roundSeed), (cursor) => String(cursor));
}

function keyOf({ serverSeed, clientSeed, nonce }: RoundSeeds): Uint8Array {
  const key = seedBytes(serverSeed);
  if (clientSeed.includes(':')) throw new RangeError('a client seed has no colon');
  if (!Number.isSafeInteger(nonce) || nonce < 0) throw new RangeError('a nonce counts from 0');
  return key;
}

function drawsOf(hmac: HmacSha256, key: Uint8Array, messageOf: (cursor: number) => string): Draws {
  let cursor = 0;
  let block: DataView = new DataView(new ArrayBuffer(0));
  let offset = 0;

  function next(): number {
    if (offset === block.byteLength) {
      const bytes = hmac(key, messageOf(cursor));
      block = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      cursor += 1;
      offset = 0;
    }
    const value = block.getUint32(offset);
    offset += BYTES_A_DRAW;
    return value;
  }

  return {
    below(n) {
      if (!Number.isInteger(n) || n < 1 || n > VALUES) throw new RangeError(`no draw below ${n}`);
      const fair = VALUES - (VALUES % n);
      let value = next();
      while (value >= fair) value = next();
      return value % n;
    },
  };
}
