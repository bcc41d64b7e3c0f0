import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

const anna = walletOf(1);

test('one row for each account that an event moves, with its sum in the batch', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 500n, 0n);
  history.bet(anna, 100n, 250n);
  const rows = fold(history.recorded());
  const of = (account: string) =>
    rows
      .filter((row) => row.account === account)
      .map(({ position, deltaMinor, runningMinor }) => [position, deltaMinor, runningMinor]);
  expect(of(`player:${anna}`)).toEqual([
    [2, 100_000n, 100_000n],
    [6, -500n, 99_500n],
    [8, -100n, 99_400n],
    [9, 250n, 99_650n],
  ]);
  expect(of('house')).toEqual([
    [2, -100_000n, -100_000n],
    [6, 500n, -99_500n],
    [8, 100n, -99_400n],
    [9, -250n, -99_650n],
  ]);
  expect(new Set(rows.map(({ asset }) => asset))).toEqual(new Set(['points']));
});
