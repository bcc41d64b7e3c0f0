import { expect, it } from 'vitest';
import { readTyped } from './amount-field.tsx';

it.each([
  ['1,000.50', '1000.50'],
  ['1,000', '1000'],
  [' 12,345,678 ', '12345678'],
  ['0,5', '0.5'],
  ['1.000,50', '1000.50'],
  ['1.000', '1.000'],
  ['1,00', '1.00'],
  ['-3', '3'],
  ['2e5', '25'],
  ['٣', ''],
  ['1.2.3', '1.23'],
])('reads %j as %j', (text, read) => {
  expect(readTyped(text)).toBe(read);
});
