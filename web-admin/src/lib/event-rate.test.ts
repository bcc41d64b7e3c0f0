import { expect, test } from 'vitest';
import { rateOf, withPoll } from './event-rate.ts';

const rateAfter = (heads: readonly number[], everyMs = 2_000) =>
  rateOf(
    heads
      .map((head, n) => ({ head, atMs: n * everyMs }))
      .reduce<ReturnType<typeof withPoll>>(withPoll, []),
  );

test('the rate is that of the last seconds: it rises and falls with the next polls', () => {
  expect(rateAfter([100])).toBeNull();
  expect(rateAfter([100, 1_300])).toBe(600);
  const minute = Array<number>(30).fill(100);
  expect(rateAfter([...minute, 1_300])).toBe(200);
  expect(rateAfter([...minute, 1_300, 2_500, 3_700])).toBe(600);
  expect(rateAfter([100, 40_000, 40_000, 40_000, 40_000, 40_000])).toBe(0);
});

test('a slow server has a rate, and a ledger that went back none', () => {
  expect(rateAfter([100, 190], 9_000)).toBeNull();
  expect(rateAfter([100, 130, 160], 3_000)).toBe(10);
  expect(rateAfter([500, 100])).toBe(0);
});
