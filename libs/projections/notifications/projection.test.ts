import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

const anna = walletOf(1);
const bert = walletOf(2);

test('returns a notice for each event that has one, and what was read', () => {
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  history.bet(anna, 100n, 0n);
  history.rotate(anna);
  history.exchange(anna, 'points', 10_000n);
  history.readNotifications(anna, 2);
  history.bet(bert, 100n, 0n);
  history.rotate(bert);
  // It had no round, so there is nothing to check.
  history.rotate(bert);
  const { notices, reads, replaced, players } = fold(history.recorded());
  expect(notices.map(({ wallet, n }) => [wallet, n])).toEqual([
    [anna, 1],
    [bert, 1],
    [anna, 2],
    [anna, 3],
    [bert, 2],
  ]);
  expect(reads).toEqual([{ wallet: anna, from: 2, to: 2 }]);
  expect(players).toEqual([
    { wallet: anna, added: 3, unread: 2 },
    { wallet: bert, added: 2, unread: 2 },
  ]);
  expect(replaced).toEqual([]);
});

test('a batch in which a player only reads does not change their number', () => {
  const history = createHistory();
  history.register(anna);
  history.readNotifications(anna, 'all');
  expect(fold(history.recorded().slice(-1))).toEqual({
    notices: [],
    replaced: [],
    reads: [{ wallet: anna, from: 1, to: 1 }],
    players: [{ wallet: anna, added: 0, unread: 0 }],
  });
});
