import { createDraws, roundSeedOf } from '@reelbook/games/fairness/draw';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nativeHmac } from './stakes.ts';

const rounds = fc.record({
  serverSeed: fc.stringMatching(/^[0-9a-f]{64}$/),
  clientSeed: fc.string({ minLength: 1, unit: 'binary' }).map((text) => text.replaceAll(':', '')),
  nonce: fc.nat(),
});

test('the native and the portable HMAC draw the same', () => {
  fc.assert(
    fc.property(
      rounds,
      fc.array(fc.integer({ min: 1, max: 2 ** 32 }), { minLength: 9 }),
      (seeds, bounds) => {
        const [native, portable] = [createDraws(seeds, nativeHmac), createDraws(seeds)];
        for (const n of bounds) expect(native.below(n)).toBe(portable.below(n));
        expect(roundSeedOf(seeds, nativeHmac)).toBe(roundSeedOf(seeds));
      },
    ),
  );
});
