import { assert } from '@reelbook/ledger/assert';
import { type TimedRules, timedRules } from '../timed.ts';

/** Pieces for the next level; one piece comes to rest per tick. */
export const PIECES_A_LEVEL = 10;

/** By the level reached, which depends on the length of the round. */
export const TETRIS_RULES: readonly TimedRules[] = [
  timedRules({
    id: 'tetris-1',
    endPercent: 2,
    counts: 'level',
    bands: [
      [5, 12],
      [7, 15],
      [9, 20],
      [11, 25],
      [13, 30],
      [16, 50],
    ],
    draws: ['draw a tick: piece below 7 (IJLOSTZ), end below 100'],
  }),
];

/** The rules under an id; throws `Bug` for one that does not exist. */
export function tetrisRules(id: string): TimedRules {
  const rules = TETRIS_RULES.find((candidate) => candidate.id === id);
  assert(rules, `tetris rules ${id} exist`);
  return rules;
}
