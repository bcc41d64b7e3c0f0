import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

const anna = walletOf(1);

function history() {
  const told = createHistory();
  told.register(anna);
  return told;
}

test('a timed round is due when its last tick ends', () => {
  const told = history();
  told.start(anna, 'tetris', 30);
  const events = told.recorded();
  const { begun, ended } = fold(events);
  expect(ended).toEqual([]);
  expect(begun).toEqual([
    {
      round: 'id1-1',
      wallet: anna,
      game: 'tetris',
      position: events.length,
      dueAt: new Date(Date.parse(events.at(-1)?.time ?? '') + 30_000).toISOString(),
    },
  ]);
});

test('a round that ends in the same batch is left out, one of an earlier batch ends', () => {
  const told = history();
  told.start(anna, 'tetris', 3);
  told.settle(anna, 'tetris', 0n);
  told.start(anna, 'snake', 3);
  const before = told.recorded().length;
  told.settle(anna, 'snake', 'void');
  told.start(anna, 'tetris', 9);
  const all = fold(told.recorded());
  expect(all.begun.map(({ round }) => round)).toEqual(['id1-3']);
  expect(all.ended).toEqual([]);
  const rest = fold(told.recorded().slice(before));
  expect(rest.ended).toEqual([{ round: 'id1-2' }]);
});

test('a round that settles immediately is left out', () => {
  const told = history();
  told.bet(anna, 100n, 0n);
  expect(fold(told.recorded()).begun).toEqual([]);
});
