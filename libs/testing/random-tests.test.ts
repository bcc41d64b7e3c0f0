import { games } from '@reelbook/games/rules';
import { describe, expect, test } from 'vitest';
import { takeNumbers, testGame, testNumbers } from './random-tests.ts';
import { levelOfEach, type Tested } from './statistics.ts';

const COUNT = 200_000;
/** Of a game with long rounds each is hundreds of draws. */
const ROUNDS = 3_000;
const LASTING_ROUNDS = 1_000;
const TIMEOUT_MS = 600_000;
const STREAM = { serverSeed: '9f3ac41e'.repeat(8), clientSeed: 'short form' };

const strange = (tests: readonly Tested[]) =>
  tests.filter(({ p }) => p < levelOfEach(tests.length)).map(({ name }) => name);

test('200,000 draws pass every test at the 99 % level together', () => {
  expect(strange(testNumbers(takeNumbers(STREAM, COUNT)))).toEqual([]);
});

test.each(games)(
  'the rows and the return of $id are those of its paytable',
  (game) => {
    const rounds = game.timed ? LASTING_ROUNDS : ROUNDS;
    const tests = game.rulesIds.flatMap((rules) => testGame(game, { rules, rounds }, STREAM));
    expect(strange(tests)).toEqual([]);
  },
  TIMEOUT_MS,
);

describe('a generator with a fault is caught', () => {
  const made = (next: (i: number) => number) =>
    Uint32Array.from({ length: COUNT }, (_, i) => next(i));
  const fair = takeNumbers(STREAM, COUNT);
  const at = (i: number) => fair[i] as number;
  test.each([
    [
      'one byte a little too often zero',
      made((i) => (i % 50 === 0 ? at(i) & 0xffffff00 : at(i))),
      'frequency, byte 3',
    ],
    [
      'small results favoured by one in twenty',
      made((i) => (i % 20 === 0 ? at(i) >>> 1 : at(i))),
      'frequency, leading bits',
    ],
    [
      'each a little like the one before',
      made((i) => (i > 0 && i % 20 === 0 ? at(i - 1) ^ 1 : at(i))),
      'serial correlation, lag 1',
    ],
    [
      'each a little like the same place of the block before',
      made((i) => (i > 8 && i % 20 === 0 ? at(i - 8) ^ 1 : at(i))),
      'serial correlation, lag 8',
    ],
    [
      'high and low in turn now and then',
      made((i) => (i % 8 < 2 ? ((at(i) >>> 1) | (i % 2 ? 0 : 0x80000000)) >>> 0 : at(i))),
      'runs above and below the middle',
    ],
    [
      'sorted by threes',
      made(
        (i) => [...fair.subarray(i - (i % 3), i - (i % 3) + 3)].sort((a, b) => a - b)[i % 3] ?? 0,
      ),
      'runs up and down',
    ],
    ['a cycle', made((i) => at(i % 150_000)), 'duplicates'],
    ['pairs alike', made((i) => (i % 2 === 1 && i % 10 === 1 ? at(i - 1) ^ 0xff : at(i))), 'pairs'],
    ['a counter', made((i) => Math.imul(i, 2_654_435_761) >>> 0), 'pairs'],
  ])('%s', (_name, numbers, by) => {
    expect(strange(testNumbers(numbers))).toContain(by);
  });
});
