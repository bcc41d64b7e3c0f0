import { expect, it } from 'vitest';
import { readAmount } from './amount.ts';

const token = (text: string) => readAmount('token', text);
const BSM = 10n ** 9n;

it.each([
  ['1', BSM],
  [' 1.5 ', (3n * BSM) / 2n],
  ['.5', BSM / 2n],
  ['5.', 5n * BSM],
  ['1.000', BSM],
  ['1,000', 1_000n * BSM],
  ['12,345,678.25', 12_345_678_250_000_000n],
  ['1。5', (3n * BSM) / 2n],
  ['1．5', (3n * BSM) / 2n],
  ['1٫5', (3n * BSM) / 2n],
  ['１２', 12n * BSM],
  ['١٢٫٥', (25n * BSM) / 2n],
  ['۱۲', 12n * BSM],
  ['１，０００', 1_000n * BSM],
  ['1٬000', 1_000n * BSM],
  ['0.000000001', 1n],
  ['8388607.123456789', 8_388_607_123_456_789n],
])('%j is the amount that it shows', (text, minor) => {
  expect(token(text)).toBe(minor);
});

it.each([
  '1,5',
  '0,5',
  '1,00',
  '1,0000',
  '1,000,00',
  '0,001',
  '01,000',
  ',500',
  '1.000,50',
  '1，5',
  '-5',
  '−5',
  '+5',
  '1e2',
  '5E-1',
  '1e-7',
  '0x10',
  '1/2',
  '½',
  '5²',
  '1.2.3',
  '.',
  ',',
  '1 000',
  '1_000',
  "1'000",
  '$5',
  '5 BSM',
  'NaN',
  'Infinity',
  '５％',
  '१२',
  '1..5',
  '1.,5',
])('%j is refused, and is no other amount', (text) => {
  expect(token(text)).toBe('invalid');
});

it.each([
  ['', 'empty'],
  ['  ', 'empty'],
  ['0', 'zero'],
  ['０．０', 'zero'],
  ['0.0000000001', 'precise'],
  ['1.1234567891', 'precise'],
  ['10000000.123456789', 'precise'],
  ['1000000000.000000001', 'large'],
  ['9'.repeat(400), 'large'],
] as const)('%j is %s', (text, fault) => {
  expect(token(text)).toBe(fault);
});
