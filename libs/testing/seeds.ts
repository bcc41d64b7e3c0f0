/**
 * Seeds of the tests that draw at random. They are fixed, so that every run draws the same. TEST_SEED sets another seed, or
 * `fresh` a new one for each test file (`npm run test:random`).
 */
import { createHash, randomInt } from 'node:crypto';

export const DEFAULT_SEED = 20_261_121;

/** Seeds that a test failed with, by test file. They are never removed; the file runs with each of them, see seedsOf(). */
export const FAILED_SEEDS = {
  'services/cashier/random-faults.slow.db.test.ts': [666_559_645],
} as const satisfies Readonly<Record<string, readonly number[]>>;

const FRESH_SEEDS = 2 ** 31;
const BLOCK_BYTES = 32;

/** The seed of this test file. fast-check draws from it in every test, see setup-draws.ts. */
export const SEED: number = readSeed(process.env.TEST_SEED);

/** The seed that a value of TEST_SEED means. */
export function readSeed(text = ''): number {
  if (text === '') return DEFAULT_SEED;
  const seed = text === 'fresh' ? randomInt(FRESH_SEEDS) : Number(text);
  if (seed !== (seed | 0)) throw new Error(`TEST_SEED must be fresh or a 32-bit integer: ${text}`);
  return seed;
}

/** All seeds of a test file that has failed: unless TEST_SEED sets one, also those of its failures. */
export function seedsOf(file: keyof typeof FAILED_SEEDS, seed: number = SEED): readonly number[] {
  return seed === DEFAULT_SEED ? [DEFAULT_SEED, ...FAILED_SEEDS[file]] : [seed];
}

/**
 * Bytes that look random and are the same in every run. Each name, such as purpose and wallet, has a sequence of its own,
 * so that the order in which commands interleave changes nothing.
 */
export function createBytes(
  seed: number,
  file: string,
): (sizeBytes: number, ...name: readonly string[]) => Buffer {
  const counters = new Map<string, number>();
  return (sizeBytes, ...name) => {
    const sequence = JSON.stringify([seed, file, ...name]);
    const first = counters.get(sequence) ?? 0;
    const blocks = Math.ceil(sizeBytes / BLOCK_BYTES);
    counters.set(sequence, first + blocks);
    const bytes = Array.from({ length: blocks }, (_, i) =>
      createHash('sha256')
        .update(`${sequence} ${first + i}`)
        .digest(),
    );
    return Buffer.concat(bytes).subarray(0, sizeBytes);
  };
}
