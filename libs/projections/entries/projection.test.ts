import { Bug } from '@reelbook/ledger/assert';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold, lineOf, parseRound } from './projection.ts';

const anna = walletOf(1);

test('returns an entry for every event, with what it gave the player', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 500n, 700n);
  history.exchange(anna, 'points', 1_000n);
  history.setBigWinMultiple(5);
  const events = history.recorded();
  const { entries, names } = fold(events);
  expect(entries.map(({ position }) => position)).toEqual(events.map((one) => one.position));
  expect(names).toEqual([{ wallet: anna, publicId: 'id1', nickname: null }]);
  const of = (type: string) => entries.find((entry) => entry.type === type);
  expect(of('PlayerRegistered')).toMatchObject({ wallet: anna, pointsMinor: null, game: null });
  expect(of('WelcomeGranted')).toMatchObject({ pointsMinor: 100_000n, tokenMinor: null });
  const bet = { game: 'slot-machine', round: 1, settled: null };
  expect(of('BetPlaced')).toMatchObject({ ...bet, rules: 'slot-1', pointsMinor: -500n });
  expect(of('BetWon')).toMatchObject({ ...bet, rules: null, pointsMinor: 700n });
  expect(of('Exchanged')).toMatchObject({ pointsMinor: -1_000n, tokenMinor: 100_000_000n });
  expect(of('ConfigChanged')).toMatchObject({ wallet: null, round: null });
});

test('names the actor if it is not the player of the stream', () => {
  const history = createHistory();
  history.register(anna);
  const [first] = history.recorded();
  if (!first) throw new Error('no event');
  const by = (actor: string) =>
    fold([{ ...first, meta: { ...first.meta, actor } }]).entries[0]?.actor;
  expect(by(`player:${anna}`)).toBeNull();
  expect(by('operator:x')).toBe('operator:x');
});

test('a timed round has its settlement, or waits for it', () => {
  const history = createHistory();
  history.register(anna);
  history.start(anna, 'tetris', 2);
  const placed = history.recorded().length;
  history.settle(anna, 'tetris', 500n);
  const events = history.recorded();
  const settled = events.length;
  expect(fold(events).entries[placed - 1]).toMatchObject({ round: 1, settled });
  expect(fold(events).late).toEqual([]);
  expect(fold(events.slice(0, placed)).entries.at(-1)).toMatchObject({ round: 1, settled: 0 });
  expect(fold(events.slice(placed)).late).toEqual([{ wallet: anna, round: 1, position: settled }]);
});

test("a block of a line is the sum of its events' postings", () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 500n, 0n);
  history.bet(anna, 100n, 250n);
  const { lines } = fold(history.recorded());
  const first = { asset: 'points', block: 0, position: 9 };
  expect(lines).toEqual([
    { ...first, line: 'house', deltaMinor: -99_650n },
    { ...first, line: 'players', deltaMinor: 99_650n },
  ]);
});

test('an account without a line stops the projection', () => {
  expect(() => lineOf('elsewhere')).toThrow(Bug);
});

test.each([
  ['id1-7', { publicId: 'id1', n: 7 }],
  ['a-b-12', { publicId: 'a-b', n: 12 }],
  ['id1-2147483648', null],
  ['id1-07', null],
  ['id1-w7', null],
  ['-7', null],
])('the id %s of a round', (id, parsed) => {
  expect(parseRound(id)).toEqual(parsed);
});
