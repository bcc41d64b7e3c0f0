import { createRandom } from '@reelbook/testing/random';
import { expect, test } from 'vitest';
import { planKills, VICTIMS } from './schedule.ts';

const plan = (seed: number) =>
  planKills({ kills: 70, seed, spanMs: 140_000, victims: [...VICTIMS] });

test('a seed gives its schedule again, another seed another one', () => {
  expect(plan(7)).toEqual(plan(7));
  expect(plan(7)).not.toEqual(plan(8));
});

test('each victim is killed equally often, over the given time', () => {
  const kills = plan(3);
  for (const victim of VICTIMS) {
    expect(kills.filter((kill) => kill.victim === victim)).toHaveLength(10);
  }
  const spanMs = kills.reduce((sum, { pauseMs }) => sum + pauseMs, 0);
  expect(spanMs).toBeGreaterThan(100_000);
  expect(spanMs).toBeLessThan(180_000);
});

test('random numbers are from 0 to below 1 and fill it', () => {
  const random = createRandom(1);
  const numbers = Array.from({ length: 1_000 }, random);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  expect(new Set(numbers.map((one) => Math.floor(one * 10))).size).toBe(10);
});
