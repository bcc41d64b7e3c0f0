import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

const anna = walletOf(1);
const bert = walletOf(2);

test('returns the last balances of each player, with version and position', () => {
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  history.bet(anna, 500n, 0n);
  history.bet(anna, 100n, 250n);
  expect(fold(history.recorded())).toEqual([
    { wallet: anna, pointsMinor: 99_650n, tokenMinor: 0n, version: 9, position: 14 },
    { wallet: bert, pointsMinor: 100_000n, tokenMinor: 0n, version: 5, position: 10 },
  ]);
});

test('an exchange sets both balances, and a reading changes only the version', () => {
  const history = createHistory();
  history.register(anna);
  history.exchange(anna, 'points', 10_000n);
  history.readNotifications(anna, 'all');
  history.observeTreasury(5n);
  expect(fold(history.recorded())).toEqual([
    { wallet: anna, pointsMinor: 90_000n, tokenMinor: 1_000_000_000n, version: 7, position: 7 },
  ]);
});

test('a batch without money has null amounts', () => {
  const history = createHistory();
  history.register(anna);
  history.rename(anna, 'Anna');
  expect(fold(history.recorded().slice(-1))).toEqual([
    { wallet: anna, pointsMinor: null, tokenMinor: null, version: 6, position: 6 },
  ]);
});
