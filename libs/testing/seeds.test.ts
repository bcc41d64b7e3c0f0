import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawBytes } from '@reelbook/event-store/random';
import { compile } from '@reelbook/runtime/run.js';
import { createSigner } from '@reelbook/solana/keys';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exists, listFiles, read } from './repository.ts';
import { createBytes, DEFAULT_SEED, FAILED_SEEDS, readSeed, SEED, seedsOf } from './seeds.ts';
import { createWallet } from './wallets.ts';

const tests = ['libs', 'services', 'web-player', 'web-admin'].flatMap((folder) =>
  listFiles(folder, /\.test\.tsx?$/),
);
const THIS_FILE = 'libs/testing/seeds.test.ts';

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

test('seeds and wallets of the product and of the tests follow from seed, file, purpose and wallet', () => {
  const bytes = createBytes(SEED, THIS_FILE);
  const drawn = () => drawBytes(40, 'server seed', 'anna');
  expect(drawn()).toEqual(bytes(40, 'server seed', 'anna'));
  // Draws of another wallet or purpose in between change nothing.
  drawBytes(40, 'server seed', 'berta');
  drawBytes(40, 'client seed', 'anna');
  expect(drawn()).toEqual(bytes(40, 'server seed', 'anna'));
  const wallets = [createWallet().secret, createSigner().secret, createWallet().secret];
  expect(wallets.map((secret) => Buffer.from(secret.subarray(0, 32)))).toEqual(
    wallets.map(() => bytes(32, 'wallet')),
  );
});

test('bytes of any length are never drawn twice', () => {
  const drawn = [SEED, SEED + 1].flatMap((seed) =>
    ['one', 'other'].flatMap((file) => {
      const bytes = createBytes(seed, file);
      return ['a', 'b'].flatMap((name) => [16, 64, 32].map((size) => bytes(size, name)));
    }),
  );
  const blocks = drawn.flatMap((bytes) =>
    Array.from({ length: bytes.length / 16 }, (_, i) => bytes.toString('hex', i * 16, i * 16 + 16)),
  );
  expect(new Set(blocks).size).toBe(blocks.length);
});

test('what is compiled for the product does not contain the replaced source of random bytes', async () => {
  const folder = await compile();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.js$/.test(path) && !/node_modules/.test(path),
  );
  expect(files).toContain('libs/event-store/random.js');
  const replacing = /drawTestBytes|\.setPRNG\(|Keypair\.generate =/;
  const found = files.filter((path) => replacing.test(readFileSync(join(folder, path), 'utf8')));
  expect(found).toEqual([]);
});

test('TEST_SEED sets one seed, or a fresh one each time', () => {
  expect(readSeed()).toBe(DEFAULT_SEED);
  expect(readSeed('-42')).toBe(-42);
  expect(readSeed('fresh')).not.toBe(readSeed('fresh'));
  const file = 'services/cashier/random-faults.slow.db.test.ts';
  expect(seedsOf(file, DEFAULT_SEED)).toEqual([DEFAULT_SEED, 666_559_645]);
  expect(seedsOf(file, 7)).toEqual([7]);
});

test.each(['4.2', '2147483648', 'new'])('TEST_SEED=%s is refused', (text) => {
  expect(() => readSeed(text)).toThrow(/TEST_SEED must be fresh or a 32-bit integer/);
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
