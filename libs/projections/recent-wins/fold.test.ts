import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

const anna = walletOf(1);

test('returns every win, and every multiple with its position', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 500n, 0n);
  history.setBigWinMultiple(2.5);
  history.bet(anna, 100n, 250n);
  const { names, multiples, wins } = fold(history.recorded());
  expect(names).toEqual([{ wallet: anna, publicId: 'id1', nickname: null }]);
  expect(multiples).toEqual([{ position: 8, multiple: 2.5 }]);
  expect(wins).toMatchObject([{ position: 10, stakeMinor: 100n, payoutMinor: 250n }]);
});
