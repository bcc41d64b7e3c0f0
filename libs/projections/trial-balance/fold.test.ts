import { Bug } from '@reelbook/ledger/assert';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold, LINES, LineTotals, POSITIONS_PER_SNAPSHOT } from './fold.ts';

const anna = walletOf(1);
const bert = walletOf(2);

test('adds by account and by line, and a line of all players', () => {
  const history = createHistory();
  history.register(anna);
  history.register(bert, 0n);
  history.bet(anna, 500n, 200n);
  const { accounts, lines, snapshots } = fold(history.recorded());
  expect(accounts).toEqual([
    { account: 'house', asset: 'points', deltaMinor: -99_700n },
    { account: `player:${anna}`, asset: 'points', deltaMinor: 99_700n },
  ]);
  expect(lines).toEqual([
    { line: 'players', asset: 'points', deltaMinor: 99_700n },
    { line: 'house', asset: 'points', deltaMinor: -99_700n },
  ]);
  expect(snapshots).toEqual([]);
});

test('a snapshot holds every line, and what came up to it', () => {
  const history = createHistory();
  history.register(anna);
  // Two events a bet, and asking for all of them after each would cost more than the rest of this file.
  for (let n = 0; n < POSITIONS_PER_SNAPSHOT / 2; n++) history.bet(anna, 100n, 0n);
  const { snapshots } = fold(history.recorded());
  expect(snapshots).toHaveLength(2 * LINES.length);
  const bets = BigInt(Math.floor((POSITIONS_PER_SNAPSHOT - 4) / 2));
  expect(snapshots[0]).toEqual({
    position: POSITIONS_PER_SNAPSHOT,
    line: 'players',
    asset: 'points',
    deltaMinor: 100_000n - 100n * bets,
  });
});

test('an account that no line takes stops it', () => {
  const posting = { account: 'elsewhere', asset: 'points', deltaMinor: 1n } as const;
  expect(() => new LineTotals().add(posting)).toThrow(Bug);
});

test('a line that comes back to where it was within one batch is touched as it is over two', () => {
  const history = createHistory();
  const wallet = walletOf(7);
  history.register(wallet);
  history.exchange(wallet, 'points', 10_000n);
  history.exchange(wallet, 'token', 1_000_000_000n);
  const events = history.recorded();
  const touched = (batch: typeof events) =>
    fold(batch).lines.map(({ line, asset }) => `${line} ${asset}`);
  const inTwo = [...touched(events.slice(0, -1)), ...touched(events.slice(-1))];
  expect(new Set(touched(events))).toEqual(new Set(inTwo));
  expect(touched(events)).toContain('players token');
});
