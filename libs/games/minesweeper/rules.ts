import { assert } from '@reelbook/ledger/assert';
import type { Outcome } from '@reelbook/ledger/player/events';
import { createDrawsOfRound, type Draws } from '../fairness/draw.ts';
import { fraction, plus, times } from '../fraction.ts';
import {
  type Ending,
  endingAt,
  isLast,
  lasts,
  readCount,
  readTimed,
  rulesNamed,
  type TimedOutcome,
  timedGame,
  timedRules,
} from '../timed.ts';

/** The field's side in cells; a cell's number counts row by row from the top left. */
export const SIDE = 12;

/** How many of a cell's neighbours, up to eight, are mines. */
export function minesAround(cell: number, mines: readonly number[]): number {
  const [x, y] = [cell % SIDE, Math.floor(cell / SIDE)];
  return mines.filter((mine) => {
    const [dx, dy] = [Math.abs((mine % SIDE) - x), Math.abs(Math.floor(mine / SIDE) - y)];
    return Math.max(dx, dy) === 1;
  }).length;
}

export const MINES = 15;
/** The chance in percent that a round is won when it ends. */
const WIN_PERCENT = 70;

/** By the mines found when a round is won; a lost one pays nothing. */
const MINESWEEPER_RULES = [
  timedRules({
    id: 'minesweeper-1',
    endPercent: 5,
    counts: 'won with mines',
    bands: [
      [3, 12],
      [5, 14],
      [8, 16],
      [10, 17],
      [12, 20],
      [15, 22],
    ],
    draws: [
      'draw first: 15 mines, each below the cells that are left',
      'draw at odd ticks: below 2 (0: a mine is found in this tick, 1: in the next)',
      'draw a tick: which mine or which safe cell, below those left; end below 100',
      'draw last: won below 100, less than 70',
    ],
  }),
] as const;

/** The outcome of a round of Minesweeper in the ledger. */
type MinesweeperOutcome = TimedOutcome & {
  readonly score: number;
  readonly completed: boolean;
  readonly minesFound: number;
};

/** One tick of a round: a mine was found, or a safe cell opened. */
export interface MinesweeperTick {
  /** From 1. */
  readonly tick: number;
  /**
   * The cells as they look, row by row from the top left: # hidden, 0 to 8 open, F a mine that was
   * found; once the round is over also * the mine that was hit and M the others.
   */
  readonly field: string;
  /** The cell of the tick; null when none was left to open. */
  readonly cell: number | null;
  readonly minesFound: number;
  readonly score: number;
  readonly last: boolean;
  /** True at the last tick of a round that was won. */
  readonly completed: boolean;
}

export const minesweeper = timedGame({
  id: 'minesweeper',
  title: 'Minesweeper',
  rules: MINESWEEPER_RULES,
  odds(rules) {
    const won = fraction(BigInt(WIN_PERCENT), 100n);
    return {
      // The n-th mine is found at tick 2n - 1 or 2n, with equal chances.
      reach(mines) {
        const either = plus(lasts(rules, 2 * mines - 1), lasts(rules, 2 * mines));
        return times(times(either, fraction(1n, 2n)), won);
      },
      rowOf: (mines) => `won with ${mines} mines`,
    };
  },
  simulate: simulateMinesweeper,
  count: paidMines,
  figuresOf: ({ score, completed, minesFound }) => ({ score, completed, minesFound }),
  read: readMinesweeperOutcome,
  describe: ({ completed, minesFound, score }) =>
    `${completed ? 'won' : 'lost'} with ${minesFound} mines found, score ${score}`,
  fields: {
    score: 'integer',
    game_time: 'integer',
    is_completed: 'boolean',
    mines_found: 'integer',
  },
  reportOf: ({ score, ticks, completed, minesFound }) => ({
    score,
    game_time: ticks,
    is_completed: completed,
    mines_found: minesFound,
  }),
});

const POINTS_A_CELL = 10;
const POINTS_A_MINE = 50;
const CELLS = SIDE * SIDE;

/**
 * The complete round, tick by tick, from its seed, for the page's drawing and the server's payout. Throws `Bug` for
 * unknown rules, RangeError for an invalid seed.
 */
export function simulateMinesweeper(
  roundSeed: string,
  rulesId: string,
): readonly MinesweeperTick[] {
  const rules = rulesNamed(MINESWEEPER_RULES, rulesId);
  const draws = createDrawsOfRound(roundSeed);
  const cells = Array.from({ length: CELLS }, (_, cell) => cell);
  const mines = Array.from({ length: MINES }, () => take(cells, draws)).sort((a, b) => a - b);
  const [hiddenMines, hiddenSafe] = [[...mines], cells];
  const field = Array.from({ length: CELLS }, () => '#');
  const ticks: MinesweeperTick[] = [];
  let [score, minesFound, findsNext] = [0, 0, false];
  for (let tick = 1; ; tick++) {
    const finds = tick % 2 === 1 ? draws.below(2) === 0 : findsNext;
    findsNext = !finds;
    let cell: number | null = null;
    if (finds && hiddenMines.length > 0) {
      cell = take(hiddenMines, draws);
      field[cell] = 'F';
      minesFound++;
      score += POINTS_A_MINE;
    } else if (hiddenSafe.length > 0) {
      cell = take(hiddenSafe, draws);
      field[cell] = String(minesAround(cell, mines));
      score += POINTS_A_CELL;
    }
    const last = isLast(rules, tick, draws);
    const completed = last && draws.below(100) < WIN_PERCENT;
    if (completed) for (const safe of hiddenSafe) field[safe] = String(minesAround(safe, mines));
    if (last) {
      for (const mine of hiddenMines) field[mine] = completed ? 'F' : 'M';
      if (!completed) cell = take(hiddenMines.length > 0 ? hiddenMines : [...mines], draws);
      if (!completed && cell !== null) field[cell] = '*';
    }
    ticks.push({ tick, field: field.join(''), cell, minesFound, score, last, completed });
    if (last) return ticks;
  }
}

/** A lost round pays for no mine. */
function paidMines({ completed, minesFound }: MinesweeperTick): number {
  return completed ? minesFound : 0;
}

/** Whether a round that ends at this tick pays. */
export const minesweeperEnding = (end: MinesweeperTick, rulesId: string): Ending =>
  endingAt(rulesNamed(MINESWEEPER_RULES, rulesId), paidMines(end));

/** Removes one item of a list, each with equal chance. */
function take(from: number[], draws: Draws): number {
  const [taken] = from.splice(draws.below(from.length), 1);
  assert(taken !== undefined, 'the draw is below what is left');
  return taken;
}

/** Reads a Minesweeper outcome. Throws `Bug` for anything else. */
export function readMinesweeperOutcome(outcome: Outcome): MinesweeperOutcome {
  const [score, minesFound] = [readCount(outcome, 'score'), readCount(outcome, 'minesFound')];
  const { completed } = outcome;
  assert(typeof completed === 'boolean', 'it was won or lost');
  return { ...readTimed(outcome), score, completed, minesFound };
}
