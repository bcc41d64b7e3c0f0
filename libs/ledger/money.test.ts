import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, encode } from './codec.ts';
import { fromDecimal, toDecimal, toMinor, toNumber } from './money.ts';

describe('toMinor', () => {
  it.each([
    ['points', 10, 1_000n],
    ['points', 0.01, 1n],
    ['points', -1.5, -150n],
    ['token', 1e-9, 1n],
    ['token', 0.000000001, 1n],
    ['points', 0, 0n],
  ] as const)('reads %s %d exactly', (asset, value, minor) => {
    expect(toMinor(asset, value)).toBe(minor);
  });
  it.each([
    ['points', 0.001],
    ['points', 1e-7],
    ['token', 1e-10],
    ['points', 1e18],
    ['points', 1e300],
    ['points', Number.POSITIVE_INFINITY],
    ['points', Number.NaN],
    ['points', '10' as unknown as number],
    ['points', null as unknown as number],
  ] as const)('refuses %s %s', (asset, value) => {
    expect(toMinor(asset, value)).toBeNull();
  });
  it('is the inverse of toNumber for every amount that a number can represent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), (minor) => {
        expect(toMinor('points', toNumber('points', minor))).toBe(minor);
      }),
    );
  });
});

describe('fromDecimal', () => {
  it.each([
    ['points', '30', 3_000n],
    ['points', '1,000.50', 100_050n],
    ['points', '12.500', 1_250n],
    ['token', '1,234,567', 1_234_567n * 10n ** 9n],
    ['token', "1'000", 1_000n * 10n ** 9n],
    ['token', '1\u202f000', 1_000n * 10n ** 9n],
    // No number has all of its digits.
    ['token', '12345678.123456789', 12_345_678_123_456_789n],
    ['token', '0', 0n],
  ] as const)('reads %s %s exactly', (asset, text, minor) => {
    expect(fromDecimal(asset, text)).toBe(minor);
  });
  it.each([
    ['token', '1,5'],
    ['token', '1,0000'],
    ['token', '1,000,00'],
    ['token', '0,001'],
    ['token', '1.000,50'],
    ['token', '1.0000000001'],
    ['points', '0.001'],
    ['token', '1000000000.000000001'],
    ['token', '-5'],
    ['token', '1e5'],
    ['token', '5.'],
    ['token', ''],
  ] as const)('refuses %s %s', (asset, text) => {
    expect(fromDecimal(asset, text)).toBeNull();
  });
});

describe('toNumber', () => {
  /** The minor units of what a client reads and sends back. */
  const read = (minor: bigint) =>
    toMinor('token', JSON.parse(JSON.stringify(toNumber('token', minor))));

  it('prints an amount or less, so that a shown balance can be spent', () => {
    expect(toNumber('token', 10_000_000_123_456_789n)).toBe(10_000_000.123456787);
    expect(toNumber('token', -10_000_000_123_456_789n)).toBe(-10_000_000.123456787);
    // Up to 10^9 BSM, where doubles are 119 minor units apart.
    const large = fc.bigInt({ min: 2n ** 23n * 10n ** 9n, max: 10n ** 18n });
    fc.assert(
      fc.property(large, (minor) => {
        const shown = read(minor) ?? -1n;
        expect(shown).toBeLessThanOrEqual(minor);
        expect(minor - shown).toBeLessThan(2n * 120n);
      }),
    );
  });
  it('is exact below 2^23 BSM', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 23n * 10n ** 9n }), (minor) => {
        expect(read(minor)).toBe(minor);
      }),
    );
  });
  it('keeps the order of amounts', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(toNumber('token', low)).toBeLessThanOrEqual(toNumber('token', high));
      }),
    );
  });
});

describe('toDecimal', () => {
  it('writes all decimals of the asset', () => {
    expect(toDecimal('points', 1_050n)).toBe('10.50');
    expect(toDecimal('points', -5n)).toBe('-0.05');
    expect(toDecimal('token', 12_500_000_000n)).toBe('12.500000000');
  });
});

describe('the codec', () => {
  it('keeps amounts exact through JSON, by their names', () => {
    const value = {
      aMinor: 10n ** 17n,
      after: { pointsMinor: -1n },
      list: [{ bMinor: 2n }],
      text: '5',
    };
    expect(decode(encode(value))).toEqual(value);
  });
  it('throws for an amount that is not an integer', () => {
    expect(() => decode('{"aMinor":"1.5"}')).toThrow(SyntaxError);
  });
});
