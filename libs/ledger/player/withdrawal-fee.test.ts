import { expect, it } from 'vitest';
import { defaultConfig } from '../config/config.ts';
import { feeMinorOf } from './withdrawals.ts';

const { feeRate } = defaultConfig.withdraw;

it('a fee is rounded up, never more than the amount', () => {
  expect(feeMinorOf(1n, feeRate)).toBe(1n);
  expect(feeMinorOf(20n, feeRate)).toBe(1n);
  expect(feeMinorOf(21n, feeRate)).toBe(2n);
  expect(feeMinorOf(10n ** 11n, { numerator: 0, denominator: 1 })).toBe(0n);
});
