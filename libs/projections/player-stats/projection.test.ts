import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

const anna = walletOf(1);

test('returns the figures of each player in each game', () => {
  const history = createHistory();
  history.register(anna);
  history.rename(anna, 'Anna');
  history.bet(anna, 500n, 0n);
  history.bet(anna, 100n, 250n);
  history.bet(anna, 100n, 150n);
  history.bet(anna, 100n, 0n, 'snake');
  expect(fold(history.recorded())).toEqual({
    names: [{ wallet: anna, publicId: 'id1', nickname: 'Anna' }],
    stats: [
      {
        wallet: anna,
        game: 'slot-machine',
        games: 3,
        wins: 2,
        stakedMinor: 700n,
        wonMinor: 400n,
        biggestWinMinor: 250n,
      },
      {
        wallet: anna,
        game: 'snake',
        games: 1,
        wins: 0,
        stakedMinor: 100n,
        wonMinor: 0n,
        biggestWinMinor: 0n,
      },
    ],
  });
});
