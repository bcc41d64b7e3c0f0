import { expect, test } from 'vitest';
import { amountText, rounded, signedText } from './amounts.ts';

test.each([
  ['points', '104250', '1,042.50', '+1,042.50'],
  ['points', '-1000', '−10.00', '−10.00'],
  ['points', '0', '0.00', '0.00'],
  ['token', '12500000001', '12.500000001', '+12.500000001'],
  ['token', '1234567000000000', '1,234,567.00', '+1,234,567.00'],
  ['token', '-1', '−0.000000001', '−0.000000001'],
  // Above the exact integers of a float.
  ['points', '900719925474099301', '9,007,199,254,740,993.01', '+9,007,199,254,740,993.01'],
] as const)('%s %s is %s', (asset, minor, plain, signed) => {
  expect(amountText({ asset, minor })).toBe(plain);
  expect(signedText({ asset, minor })).toBe(signed);
});

test.each([
  ['token', '1234567890123', '1,234.57'],
  ['token', '-5000000', '−0.01'],
  ['token', '4999999', '0.00'],
  ['token', '-4999999', '0.00'],
  ['points', '-1050', '−10.50'],
] as const)('%s %s is rounded to %s', (asset, minor, text) => {
  expect(amountText(rounded({ asset, minor }))).toBe(text);
});
