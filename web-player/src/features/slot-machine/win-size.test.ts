import { expect, test } from 'vitest';
import { JACKPOT, sizeOf } from './win-size.ts';

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

test('three comets are the jackpot also when the maximum win reduces them to less than 25 times', () => {
  expect(sizeOf(16.67, JACKPOT)).toBe('jackpot');
  expect(sizeOf(16.67, 'three-crowns')).toBe('large');
});
