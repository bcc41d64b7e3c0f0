import { assert } from '@reelbook/ledger/assert';
import { type TimedRules, timedRules } from '../timed.ts';

export const MINES = 15;
/** The chance in percent that a round is won when it ends. */
export const WIN_PERCENT = 70;

/** By the mines found when a round is won; a lost one pays nothing. */
export const MINESWEEPER_RULES: readonly TimedRules[] = [
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
];

/** The rules under an id; throws `Bug` for one that does not exist. */
export function minesweeperRules(id: string): TimedRules {
  const rules = MINESWEEPER_RULES.find((candidate) => candidate.id === id);
  assert(rules, `minesweeper rules ${id} exist`);
  return rules;
}
