import { expect, test } from 'vitest';
import { sizeOf } from './win-size.ts';

test.each([
  [1.5, 'small'],
  [3, 'small'],
  [4, 'medium'],
  [8, 'medium'],
  [12, 'large'],
  [25, 'jackpot'],
])('a win of %d times the stake is %s', (multiple, size) => {
  expect(sizeOf(multiple)).toBe(size);
});
