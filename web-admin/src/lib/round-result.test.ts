import { expect, test } from 'vitest';
import { resultText } from './round-result.ts';

const round = (symbols: readonly number[], stake: number, paid: number) => ({
  game: 'slot-machine',
  rules: 'slot-1',
  outcome: { symbols },
  stake: { asset: 'points' as const, minor: String(stake) },
  payout: { asset: 'points' as const, minor: String(paid) },
});

test.each([
  [[2, 4, 2], 500, 1_500, 'two crowns: 3 × the stake'],
  [[4, 4, 1], 300, 450, 'two coins: 1.5 × the stake'],
  [[1, 2, 3], 500, 0, 'no win'],
  [[1, 1, 1], 100_000, 1_000_000, 'three comets: 10 × the stake, the most that the rules pay'],
])('%j pays %i → %i', (symbols, stake, paid, text) => {
  expect(resultText(round(symbols, stake, paid))).toBe(text);
});

test('an outcome that this build cannot read has no result', () => {
  expect(resultText(round([9, 9], 500, 0))).toBeNull();
  expect(resultText({ ...round([1, 1, 1], 0, 100) })).toBeNull();
  expect(resultText({ ...round([1, 2, 3], 500, 0), game: 'of another build' })).toBeNull();
  expect(resultText({ ...round([1, 2, 3], 500, 0), payout: null })).toBeNull();
});
