import { assert } from '@reelbook/ledger/assert';
import { type TimedRules, timedRules } from '../timed.ts';

/** The number of cells to the next meal on the snake's path. */
export const TICKS_A_MEAL = 4;
export const LENGTH_AT_FIRST = 3;

/** By the meals eaten; a meal makes the snake one cell longer. */
export const SNAKE_RULES: readonly TimedRules[] = [
  timedRules({
    id: 'snake-1',
    endPercent: 3,
    counts: 'meals',
    bands: [
      [9, 15],
      [10, 16],
      [12, 20],
      [15, 25],
      [20, 50],
    ],
    draws: [
      'draw first: the way over the board (where a block has several free neighbours, one of them), then its start below 144',
      'draw a tick: end below 100',
    ],
  }),
];

/** The rules under an id; throws `Bug` for one that does not exist. */
export function snakeRules(id: string): TimedRules {
  const rules = SNAKE_RULES.find((candidate) => candidate.id === id);
  assert(rules, `snake rules ${id} exist`);
  return rules;
}
