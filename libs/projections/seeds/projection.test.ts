import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

const anna = walletOf(1);

test('returns a pair once it is revealed', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 100n, 0n);
  expect(fold(history.recorded())).toEqual([]);
  history.rotate(anna);
  expect(fold(history.recorded())).toMatchObject([
    { wallet: anna, pair: 1, clientSeed: 'lucky', nonces: 1, position: 8 },
  ]);
});
