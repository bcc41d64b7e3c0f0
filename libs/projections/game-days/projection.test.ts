import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

const anna = walletOf(1);

test('returns rounds of a day by stake; those that the batch does not end are open', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 500n, 700n);
  history.bet(anna, 500n, 0n);
  history.bet(anna, 100n, 0n);
  history.start(anna, 'tetris', 3);
  const { begun, ended, sums } = fold(history.recorded());
  const slot = { day: '2026-11-21', game: 'slot-machine', rules: 'slot-1', choice: '', voided: 0 };
  expect(sums).toEqual([
    { ...slot, stakeMinor: 500n, rounds: 2, paidMinor: 700n },
    { ...slot, stakeMinor: 100n, rounds: 1, paidMinor: 0n },
  ]);
  expect(ended).toEqual([]);
  expect(begun.map(({ game }) => game)).toEqual(['tetris']);
});

test('a round of an earlier batch ends by its id; a voided one pays nothing', () => {
  const history = createHistory();
  history.register(anna);
  history.start(anna, 'tetris', 3);
  const before = history.recorded().length;
  history.settle(anna, 'tetris', 'void');
  const { ended, sums } = fold(history.recorded().slice(before));
  expect(sums).toEqual([]);
  expect(ended).toEqual([{ round: 'id1-1', day: '2026-11-21', paidMinor: 0n, voided: true }]);
  const [all] = fold(history.recorded()).sums;
  expect(all).toMatchObject({ game: 'tetris', rounds: 0, voided: 1 });
});
