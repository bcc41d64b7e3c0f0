import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

const anna = walletOf(1);
const bert = walletOf(2);

test('one movement for each event that moves money, ranked by player', () => {
  const history = createHistory();
  history.register(anna);
  history.register(bert, 0n);
  history.bet(anna, 500n, 0n);
  history.bet(anna, 100n, 250n);
  const { movements } = fold(history.recorded());
  expect(
    movements.map(({ wallet, rank, type, amountMinor, balanceAfterMinor }) => [
      wallet,
      rank,
      type,
      amountMinor,
      balanceAfterMinor,
    ]),
  ).toEqual([
    [anna, 1, 'welcome', 100_000n, 100_000n],
    [anna, 2, 'bet', -500n, 99_500n],
    [anna, 3, 'bet', -100n, 99_400n],
    [anna, 4, 'win', 250n, 99_650n],
  ]);
  expect(movements[3]).toMatchObject({ game: 'slot-machine', round: 'id1-2', asset: 'points' });
});

test('an exchange is two movements of one event: what was given, then what came', () => {
  const history = createHistory();
  history.register(anna);
  history.exchange(anna, 'points', 10_000n);
  const movements = fold(history.recorded()).movements.slice(1);
  expect(movements).toMatchObject([
    { rank: 2, type: 'exchange', asset: 'points', amountMinor: -10_000n, game: null },
    { rank: 3, type: 'exchange', asset: 'token', amountMinor: 1_000_000_000n },
  ]);
  expect(movements.map(({ balanceAfterMinor }) => balanceAfterMinor)).toEqual([
    90_000n,
    1_000_000_000n,
  ]);
  expect(movements[0]?.position).toBe(movements[1]?.position);
});
