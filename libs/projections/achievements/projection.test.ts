import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

const anna = walletOf(1);

test('only settled rounds count', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 500n, 1_250n);
  history.rotate(anna);
  history.bet(anna, 100n, 0n, 'snake');
  const counted = fold(history.recorded());
  expect(counted.map(({ position: _, at: __, ...round }) => round)).toEqual([
    { wallet: anna, isSlot: true, stakeMinor: 500n, wonMinor: 1_250n },
    { wallet: anna, isSlot: false, stakeMinor: 100n, wonMinor: 0n },
  ]);
});
