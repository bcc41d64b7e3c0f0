import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

const anna = walletOf(1);

test('adds winnings and keeps the last balance', () => {
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
      pointsMinor: 99_650n,
    },
  ]);
});

test('an exchange changes the points balance and is no win', () => {
  const history = createHistory();
  history.register(anna);
  history.exchange(anna, 'points', 10_000n);
  history.exchange(anna, 'token', 500_000_000n);
  expect(fold(history.recorded())).toMatchObject([
    { earningsMinor: 0n, wins: 0, pointsMinor: 95_000n },
  ]);
});

test('a batch without money does not change the points', () => {
  const history = createHistory();
  history.register(anna);
  history.rename(anna, 'Anna');
  expect(fold(history.recorded().slice(-1))).toEqual([
    {
      wallet: anna,
      publicId: null,
      nickname: 'Anna',
      earningsMinor: 0n,
      wins: 0,
      pointsMinor: null,
    },
  ]);
});
