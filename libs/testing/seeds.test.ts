import { readSettings } from '@reelbook/runtime/settings';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exists, listFiles, read } from './repository.ts';
import { DEFAULT_SEED, FAILED_SEEDS, SEED, seedsOf, seedUnder } from './seeds.ts';

const tests = ['libs', 'services', 'web-player', 'web-admin'].flatMap((folder) =>
  listFiles(folder, /\.test\.tsx?$/),
);

/** What a property is called with; without a seed of its own it takes that of the test file. */
function draw(seed?: number): readonly number[] {
  const drawn: number[] = [];
  const take = fc.property(fc.integer(), (value) => void drawn.push(value));
  fc.assert(take, seed === undefined ? {} : { seed });
  return drawn;
}

test('a property draws the same values each time, from the seed of the test file', () => {
  expect(draw()).toHaveLength(100);
  expect(draw()).toEqual(draw());
  expect(draw()).toEqual(draw(SEED));
  expect(draw()).not.toEqual(draw(SEED + 1));
});

const wanted = (text: string) => readSettings([], { TEST_SEED: text }).testSeed;
const ofFailed = (text: string) =>
  seedsOf('services/cashier/random-faults.db.test.ts', wanted(text));

test.each(['', 'fixed'])(
  'seeds are fixed with TEST_SEED=%s, those that failed included',
  (text) => {
    expect(seedUnder(wanted(text))).toBe(DEFAULT_SEED);
    expect(ofFailed(text)).toEqual([DEFAULT_SEED, 666_559_645]);
  },
);

test('TEST_SEED sets one seed, or a fresh one each time', () => {
  expect(seedUnder(wanted('-42'))).toBe(-42);
  expect(seedUnder(wanted('fresh'))).not.toBe(seedUnder(wanted('fresh')));
  expect(ofFailed('fresh')).toEqual([SEED]);
});

test.each(['4.2', '2147483648', 'new'])('TEST_SEED=%s is refused', (text) => {
  expect(() => wanted(text)).toThrow(/TEST_SEED must be fixed, fresh or a 32-bit integer/);
});

test.each(Object.keys(FAILED_SEEDS))(
  '%s exists and runs with the seeds that it failed with',
  (file) => {
    expect(exists(file)).toBe(true);
    expect(read(file)).toContain(`seedsOf('${file}')`);
  },
);

test('no test draws what nothing can repeat, or runs fewer times on a slow machine', () => {
  const own = /Math\.random|\bseed = Date\.now|\b(?:interrupt|skipAll)After\w+:/;
  expect(tests.length).toBeGreaterThan(10);
  expect(tests.filter((path) => own.test(read(path)))).toEqual([]);
});
