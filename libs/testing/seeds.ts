/**
 * Seeds of the tests that draw at random. They are fixed, so that every run does the same. TEST_SEED sets another seed, or
 * a fresh one for each test file (`npm run test:random`).
 */
import { randomInt } from 'node:crypto';
import { readSettings } from '@reelbook/runtime/settings';
import type { TestSeed } from '@reelbook/runtime/test-settings';

export const DEFAULT_SEED = 20_261_121;

/** Seeds that a test failed with, by test file. They are never removed; the file runs with each of them, see seedsOf(). */
export const FAILED_SEEDS = {
  'services/cashier/random-faults.db.test.ts': [666_559_645],
} as const satisfies Readonly<Record<string, readonly number[]>>;

const FRESH_SEEDS = 2 ** 31;
const { testSeed } = readSettings();

/** The seed of this test file. fast-check draws from it in every test, see setup-seeds.ts. */
export const SEED: number = seedUnder(testSeed);

/** A seed as TEST_SEED wants it. */
export function seedUnder(wanted: TestSeed): number {
  if (wanted === 'fixed') return DEFAULT_SEED;
  return wanted === 'fresh' ? randomInt(FRESH_SEEDS) : wanted;
}

/** All seeds of a test file that has failed: with fixed seeds also those of its failures. */
export function seedsOf(
  file: keyof typeof FAILED_SEEDS,
  wanted: TestSeed = testSeed,
): readonly number[] {
  return wanted === 'fixed' ? [DEFAULT_SEED, ...FAILED_SEEDS[file]] : [SEED];
}
