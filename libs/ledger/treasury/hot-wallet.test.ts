import { expect, it } from 'vitest';
import { defaultConfig } from '../config/config.ts';
import { describeOverCap, overCapMinor } from './in-flight.ts';

const { withdraw } = defaultConfig;
const max = withdraw.hotWalletMaxTokenMinor;

it('a treasury at its cap is within it, and one unit more is above', () => {
  expect(max).toBe(2_000_000_000_000_000n);
  expect(overCapMinor(max, withdraw)).toBeNull();
  expect(overCapMinor(max + 1n, withdraw)).toBe(1n);
  expect(describeOverCap(max, withdraw)).toBeNull();
  expect(describeOverCap(max + 1_500_000_000n, withdraw)).toBe(
    'the hot wallet holds 2000001.5 BSM, 1.5 BSM above its cap of 2000000 BSM',
  );
});

it('a cap of 0 is none', () => {
  expect(overCapMinor(max * 400n, { hotWalletMaxTokenMinor: 0n })).toBeNull();
});
