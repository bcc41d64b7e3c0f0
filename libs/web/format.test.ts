import { expect, test } from 'vitest';
import {
  age,
  clockTime,
  duration,
  multipleOf,
  points,
  shortAddress,
  signed,
  token,
} from './format.ts';

test('amounts have two decimals, a thousands comma and a real minus', () => {
  expect(points(1042.5)).toBe('1,042.50');
  expect(signed(30)).toBe('+30.00');
  expect(signed(-10)).toBe('\u221210.00');
  expect(signed(0)).toBe('0.00');
});

test('a multiple has two decimals at most', () => {
  expect(multipleOf(10_000, 600)).toBe(16.67);
  expect(multipleOf(10_000, 900)).toBe(11.11);
  expect(multipleOf(4.5, 3)).toBe(1.5);
  // Exact in hundredths, not as a quotient.
  expect(3.3 / 3).not.toBe(1.1);
  expect(multipleOf(3.3, 3)).toBe(1.1);
});

test('tokens are cut, never rounded up', () => {
  expect(token(128.409999999)).toBe('128.40');
});

test('an address is its first and last four characters', () => {
  expect(shortAddress('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU')).toBe('7xKX…gAsU');
});

test('ages use the largest unit, in integers', () => {
  const at = Date.parse('2026-11-21T12:00:00Z');
  const ago = (ms: number) => age(new Date(at - ms).toISOString(), at);
  expect(ago(59_000)).toEqual({ unit: 'now', count: 0 });
  expect(ago(60_000)).toEqual({ unit: 'minutes', count: 1 });
  expect(ago(3 * 3600_000)).toEqual({ unit: 'hours', count: 3 });
  expect(ago(50 * 3600_000)).toEqual({ unit: 'days', count: 2 });
  expect(ago(-5_000).unit).toBe('now');
  const exact = (ms: number) => age(new Date(at - ms).toISOString(), at, true);
  expect(exact(999)).toEqual({ unit: 'now', count: 0 });
  expect(exact(59_999)).toEqual({ unit: 'seconds', count: 59 });
  expect(exact(60_000)).toEqual({ unit: 'minutes', count: 1 });
  expect(exact(-5_000).unit).toBe('now');
});

test('a time that is not of today has its date', () => {
  const now = new Date(2026, 10, 26, 9, 30);
  const at = (...parts: [number, number, number, number, number]) =>
    clockTime(new Date(...parts).toISOString(), now);
  expect(at(2026, 10, 26, 0, 0)).toBe('00:00:00');
  expect(at(2026, 10, 25, 23, 59)).toBe('2026-11-25 23:59');
  expect(at(2026, 10, 27, 9, 30)).toBe('2026-11-27 09:30');
});

test('a duration is hours, minutes and seconds', () => {
  expect(duration(872_999)).toBe('00:14:32');
  expect(duration(-1)).toBe('00:00:00');
});
