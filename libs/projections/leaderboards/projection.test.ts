import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

const anna = walletOf(1);

test('adds winnings and keeps the last name', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 500n, 0n);
  history.bet(anna, 100n, 250n);
  history.rename(anna, 'Anna');
  expect(fold(history.recorded())).toEqual([
    {
      wallet: anna,
      publicId: 'id1',
      nickname: 'Anna',
      earningsMinor: 250n,
      wins: 1,
    },
  ]);
});

test('a batch without a win adds nothing', () => {
  const history = createHistory();
  history.register(anna);
  history.exchange(anna, 'points', 10_000n);
  history.rename(anna, 'Anna');
  expect(fold(history.recorded().slice(-2))).toEqual([
    { wallet: anna, publicId: null, nickname: 'Anna', earningsMinor: 0n, wins: 0 },
  ]);
});
