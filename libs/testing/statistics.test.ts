import { describe, expect, test } from 'vitest';
import { chiSquare, chiSquareTail, levelOfEach, normalTail, runsScore } from './statistics.ts';

describe('critical values, as tables print them', () => {
  test.each([
    [1, 0.01, 6.635],
    [1, 0.05, 3.841],
    [8, 0.01, 20.09],
    [10, 0.05, 18.307],
    [23, 0.01, 41.638],
    [99, 0.01, 134.642],
    [255, 0.01, 310.457],
    [1000, 0.01, 1106.969],
  ])('chi-square of %d degrees at %d', (freedom, p, critical) => {
    expect(chiSquareTail(critical, freedom)).toBeCloseTo(p, 4);
  });
  test.each([
    [1.96, 0.05],
    [2.5758, 0.01],
    [3.2905, 0.001],
    [0, 1],
  ])('the normal at %d', (z, p) => {
    expect(normalTail(z)).toBeCloseTo(p, 4);
    expect(normalTail(-z)).toBeCloseTo(p, 4);
  });
  test('are those of the Wilson and Hilferty approximation where there are very many classes', () => {
    const freedom = 65_535;
    const share = 2 / (9 * freedom);
    const approximate = freedom * (1 - share + 2.326348 * Math.sqrt(share)) ** 3;
    expect(chiSquareTail(approximate, freedom)).toBeCloseTo(0.01, 5);
  });
});

test('each of many tests is given a stricter level, so that together they keep theirs', () => {
  expect(levelOfEach(1)).toBe(0.01);
  expect((1 - levelOfEach(50)) ** 50).toBeGreaterThan(0.99);
});

test('what is not even, or comes too orderly, is strange', () => {
  const uneven = [1_100, 900, 1_000, 1_000];
  expect(chiSquare('uneven', uneven, () => 1_000).p).toBeLessThan(0.001);
  expect(chiSquare('even', [1_010, 990, 1_000, 1_000], () => 1_000).p).toBeGreaterThan(0.5);
  expect(normalTail(runsScore({ above: 500, below: 500, runs: 1_000 }))).toBeLessThan(1e-9);
  expect(normalTail(runsScore({ above: 500, below: 500, runs: 501 }))).toBeCloseTo(1, 6);
  expect(() => chiSquare('thin', [1, 2], () => 1.5)).toThrow(RangeError);
});
