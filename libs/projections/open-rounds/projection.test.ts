import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

const anna = walletOf(1);

function history() {
  const ledger = createHistory();
  ledger.register(anna);
  return ledger;
}

test('a timed round is due when its last tick ends', () => {
  const ledger = history();
  ledger.start(anna, 'tetris', 30);
  const events = ledger.recorded();
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
  const ledger = history();
  ledger.start(anna, 'tetris', 3);
  ledger.settle(anna, 'tetris', 0n);
  ledger.start(anna, 'snake', 3);
  const before = ledger.recorded().length;
  ledger.settle(anna, 'snake', 'void');
  ledger.start(anna, 'tetris', 9);
  const all = fold(ledger.recorded());
  expect(all.begun.map(({ round }) => round)).toEqual(['id1-3']);
  expect(all.ended).toEqual([]);
  const rest = fold(ledger.recorded().slice(before));
  expect(rest.ended).toEqual([{ round: 'id1-2' }]);
});

test('a round that settles immediately is left out', () => {
  const ledger = history();
  ledger.bet(anna, 100n, 0n);
  expect(fold(ledger.recorded())).toEqual({ begun: [], ended: [] });
});
