import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

const anna = walletOf(1);

test('a round carries its bet and its settlement', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 100n, 250n);
  history.bet(anna, 500n, 0n);
  const { placed, settled } = fold(history.recorded());
  expect(settled).toEqual([]);
  expect(placed).toHaveLength(2);
  expect(placed[0]).toMatchObject({
    round: 'id1-1',
    wallet: anna,
    game: 'slot-machine',
    rank: 1,
    stakeMinor: 100n,
    payoutMinor: 250n,
    outcome: { symbols: [1, 1, 2] },
    nonce: 0,
    betPosition: 6,
    position: 7,
  });
  expect(placed[1]).toMatchObject({ round: 'id1-2', rank: 2, payoutMinor: 0n, nonce: 1 });
});

test('a settlement whose bet was in an earlier batch stands alone', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 100n, 250n);
  const { placed, settled } = fold(history.recorded().slice(-1));
  expect(placed).toEqual([]);
  expect(settled).toMatchObject([{ round: 'id1-1', payoutMinor: 250n, position: 7 }]);
});
