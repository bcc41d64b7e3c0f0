import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bytesOf, type Numbers, plainBelow, plainNumbers } from '@reelbook/testing/plain-draws';
import { type makeVectors, VECTORS_FILE } from '@reelbook/testing/vectors';
import { describe, expect, test } from 'vitest';
import { findGame } from '../rules.ts';

/** The timed games by docs/fairness.md, with none of our code: the length of a round and its payout. */
type Round = ReturnType<typeof makeVectors>['rounds'][number];
const { rounds } = JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as { rounds: Round[] };

const TICKS_MAX = 600;
const CELLS = 144;

type Bands = readonly (readonly [from: number, tenths: number])[];
const pays = (bands: Bands, count: number, stake: string) => {
  const tenths = bands.filter(([from]) => count >= from).at(-1)?.[1] ?? 0;
  return String((BigInt(stake) * BigInt(tenths)) / 10n);
};

const seedOf = ({ server_seed, client_seed, nonce }: Round) =>
  createHmac('sha256', bytesOf(server_seed)).update(`${client_seed}:${nonce}`).digest('hex');
const numbersOf = (round: Round) => plainNumbers(seedOf(round), String);
const isLast = (numbers: Numbers, tick: number, percent: number) =>
  tick === TICKS_MAX || plainBelow(numbers, 100) < percent;

const of = (game: string) => rounds.filter((round) => round.game === game);
const lasting = rounds.filter(({ game }) => findGame(game)?.timed);

test.each(lasting)('the seed of a round: $game, nonce $nonce', (round) => {
  expect(round.outcome).toMatchObject({ rules: round.rules, roundSeed: seedOf(round) });
});

describe('tetris-1', () => {
  const bands: Bands = [
    [5, 12],
    [7, 15],
    [9, 20],
    [11, 25],
    [13, 30],
    [16, 50],
  ];
  test.each(of('tetris'))('nonce $nonce', (round) => {
    const numbers = numbersOf(round);
    let ticks = 0;
    do {
      plainBelow(numbers, 7);
      ticks++;
    } while (!isLast(numbers, ticks, 2));
    const level = 1 + Math.floor(ticks / 10);
    expect(round.outcome).toMatchObject({ ticks, level });
    expect(round.payout_minor).toBe(pays(bands, level, round.stake_minor));
  });
});

describe('snake-1', () => {
  const bands: Bands = [
    [9, 15],
    [10, 16],
    [12, 20],
    [15, 25],
    [20, 50],
  ];
  /** The walk over 6 by 6 blocks, for the draws that it takes: up, right, down, left. */
  const drawWay = (numbers: Numbers) => {
    const [seen, path] = [new Set(['0 0']), [[0, 0]]];
    while (path.length > 0) {
      const [x = 0, y = 0] = path.at(-1) ?? [];
      const around = [
        [x, y - 1],
        [x + 1, y],
        [x, y + 1],
        [x - 1, y],
      ];
      const free = around.filter(
        (one) => one.every((at) => at >= 0 && at < 6) && !seen.has(one.join(' ')),
      );
      const next = free.length > 1 ? free[plainBelow(numbers, free.length)] : free[0];
      if (next) path.push(next);
      else path.pop();
      if (next) seen.add(next.join(' '));
    }
  };
  test.each(of('snake'))('nonce $nonce', (round) => {
    const numbers = numbersOf(round);
    drawWay(numbers);
    plainBelow(numbers, CELLS);
    let ticks = 1;
    while (!isLast(numbers, ticks, 3)) ticks++;
    const meals = Math.floor(ticks / 4);
    expect(round.outcome).toMatchObject({ ticks, length: 3 + meals, score: 10 * meals });
    expect(round.payout_minor).toBe(pays(bands, meals, round.stake_minor));
  });
});

describe('minesweeper-1', () => {
  const bands: Bands = [
    [3, 12],
    [5, 14],
    [8, 16],
    [10, 17],
    [12, 20],
    [15, 22],
  ];
  test.each(of('minesweeper'))('nonce $nonce', (round) => {
    const numbers = numbersOf(round);
    const MINES = 15;
    for (let mine = 0; mine < MINES; mine++) plainBelow(numbers, CELLS - mine);
    let [ticks, minesFound, opened, finds] = [0, 0, 0, false];
    do {
      ticks++;
      finds = ticks % 2 === 1 ? plainBelow(numbers, 2) === 0 : !finds;
      const [hidden, safe] = [MINES - minesFound, CELLS - MINES - opened];
      if (finds && hidden > 0) {
        plainBelow(numbers, hidden);
        minesFound++;
      } else if (safe > 0) {
        plainBelow(numbers, safe);
        opened++;
      }
    } while (!isLast(numbers, ticks, 5));
    const completed = plainBelow(numbers, 100) < 70;
    const score = 50 * minesFound + 10 * opened;
    expect(round.outcome).toMatchObject({ ticks, minesFound, completed, score });
    const counted = completed ? minesFound : 0;
    expect(round.payout_minor).toBe(pays(bands, counted, round.stake_minor));
  });
});
