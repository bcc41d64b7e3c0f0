import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

const anna = walletOf(1);

test('returns the wins that were big by the multiple in force', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 100n, 250n);
  history.setBigWinMultiple(2.5);
  history.bet(anna, 100n, 250n);
  const { names, wins } = fold(history.recorded());
  expect(names).toEqual([{ wallet: anna, publicId: 'id1', nickname: null }]);
  expect(wins).toMatchObject([{ position: 10, stakeMinor: 100n, payoutMinor: 250n }]);
});
