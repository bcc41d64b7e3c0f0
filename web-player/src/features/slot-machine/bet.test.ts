import { expect, test } from 'vitest';
import { betLimits, clampBet } from './bet.ts';

const config = { min_bet: 1, max_bet: 1000 };

test('the balance bounds the bet, in whole points', () => {
  expect(betLimits(config, 1042.5)).toEqual({ min: 1, max: 1000 });
  expect(betLimits(config, 42.5)).toEqual({ min: 1, max: 42 });
  expect(betLimits(config, null)).toEqual({ min: 1, max: 1000 });
});

test('with less than the minimum the limits still allow the minimum', () => {
  expect(betLimits({ min_bet: 5, max_bet: 1000 }, 0.5)).toEqual({ min: 5, max: 5 });
});

test('a bet is brought to the nearest that is allowed', () => {
  const limits = { min: 1, max: 42 };
  expect(clampBet(-4, limits)).toBe(1);
  expect(clampBet(6, limits)).toBe(6);
  expect(clampBet(6.9, limits)).toBe(6);
  expect(clampBet(47, limits)).toBe(42);
  expect(clampBet(Number.NaN, limits)).toBe(1);
  expect(clampBet(Number.POSITIVE_INFINITY, limits)).toBe(1);
});
