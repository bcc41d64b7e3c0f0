import { expect, test } from 'vitest';
import { betLimits, clampBet, readBet } from './bet-controls.tsx';

const config = { min_bet: 1, max_bet: 1000 };

test('the balance limits the bet, in integer points', () => {
  expect(betLimits(config, 1042.5)).toEqual({ min: 1, max: 1000 });
  expect(betLimits(config, 42.5)).toEqual({ min: 1, max: 42 });
  expect(betLimits(config, null)).toEqual({ min: 1, max: 1000 });
});

test('with less than the minimum the limits still allow the minimum', () => {
  expect(betLimits({ min_bet: 5, max_bet: 1000 }, 0.5)).toEqual({ min: 5, max: 5 });
});

test('a bet becomes the nearest one that is allowed', () => {
  const limits = { min: 1, max: 42 };
  expect(clampBet(-4, limits)).toBe(1);
  expect(clampBet(6, limits)).toBe(6);
  expect(clampBet(6.9, limits)).toBe(6);
  expect(clampBet(47, limits)).toBe(42);
  expect(clampBet(Number.NaN, limits)).toBe(1);
  expect(clampBet(Number.POSITIVE_INFINITY, limits)).toBe(1);
});

test.each<[string, number | object]>([
  ['10', 10],
  [' 007 ', 7],
  ['5000', { key: 'slot.typed.overHeld', held: '1,000.00' }],
  ['1.5', { key: 'slot.typed.notInteger' }],
  ['1e2', { key: 'slot.typed.notInteger' }],
  ['1,000', { key: 'slot.typed.notInteger' }],
  ['-5', { key: 'slot.error.minimum', count: 1 }],
  ['--5', { key: 'slot.typed.notInteger' }],
  ['', { key: 'slot.typed.notInteger' }],
  ['0', { key: 'slot.error.minimum', count: 1 }],
])('%j typed with 1,000 points is that bet or an error, never another bet', (typed, read) => {
  expect(readBet(typed, config, 1000)).toEqual(read);
});

test('more than the highest bet is an error at any balance', () => {
  const tooHigh = { key: 'slot.error.maximum', max: 1000 };
  expect(readBet('1001', config, 5000)).toEqual(tooHigh);
  expect(readBet('1001', config, null)).toEqual(tooHigh);
});
