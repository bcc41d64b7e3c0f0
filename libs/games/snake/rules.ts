import { assert } from '@reelbook/ledger/assert';
import type { Outcome } from '@reelbook/ledger/player/events';
import { createDrawsOfRound, type Draws } from '../fairness/draw.ts';
import type { DrawInput, Drawn, Game } from '../game.ts';
import {
  type Ending,
  endingAt,
  isLast,
  lasts,
  payoutMinor,
  readCount,
  readTimed,
  type TimedOutcome,
  timedOdds,
} from '../timed.ts';
import { CELLS, drawPath } from './path.ts';
import { LENGTH_AT_FIRST, SNAKE_RULES, snakeRules, TICKS_A_MEAL } from './paytable.ts';

/** The outcome of a round of Snake in the ledger. */
export type SnakeOutcome = TimedOutcome & {
  readonly score: number;
  readonly length: number;
};

/** One tick of a round: the snake moved one cell. */
export interface SnakeTick {
  /** From 1. */
  readonly tick: number;
  /** Cells of the board, head first; a cell's number counts row by row from the top left. */
  readonly body: readonly number[];
  /** The cell of the next meal. */
  readonly meal: number;
  /** Whether the head has just eaten. */
  readonly ate: boolean;
  readonly score: number;
  readonly length: number;
  readonly last: boolean;
}

export const snake: Game<SnakeOutcome> = {
  id: 'snake',
  apiKey: 'snake',
  title: 'Snake',
  defaults: {
    rules: 'snake-1',
    minStakeMinor: 1_000n,
    maxStakeMinor: 1_000n,
    maxLines: 1,
    enabled: true,
  },
  rulesIds: SNAKE_RULES.map(({ id }) => id),
  draw,
  odds(id) {
    const rules = snakeRules(id);
    return timedOdds(rules, {
      reach: (meals) => lasts(rules, TICKS_A_MEAL * meals),
      rowOf: (meals) => `length ${LENGTH_AT_FIRST + meals}`,
    });
  },
  describe(outcome) {
    const { length, score } = readSnakeOutcome(outcome);
    return `length ${length}, score ${score}`;
  },
  timed: {
    ticksOf: (outcome) => readSnakeOutcome(outcome).ticks,
    fields: { score: 'integer', length: 'integer', game_time: 'integer' },
    reportOf(outcome) {
      const { score, length, ticks } = readSnakeOutcome(outcome);
      return { score, length, game_time: ticks };
    },
    endPercent: (rules) => snakeRules(rules).endPercent,
  },
  choice: null,
};

function draw({ rules: id, stakeMinor, draws }: DrawInput): Drawn<SnakeOutcome> {
  const roundSeed = draws.roundSeed();
  const end = simulateSnake(roundSeed, id).at(-1);
  assert(end, 'a round has a tick');
  const { tick: ticks, score, length } = end;
  return {
    outcome: { rules: id, roundSeed, ticks, score, length },
    payoutMinor: payoutMinor(snakeRules(id), mealsAfter(ticks), stakeMinor),
  };
}

const POINTS_A_MEAL = 10;
/** A longer snake would have no room for its next meal. It still eats, but does not grow. */
const LENGTH_MAX = 120;

const mealsAfter = (ticks: number) => Math.floor(ticks / TICKS_A_MEAL);

/**
 * The complete round, tick by tick, from its seed, for the page's drawing and the server's payout. Throws `Bug` for
 * unknown rules, RangeError for an invalid seed.
 */
export function simulateSnake(roundSeed: string, rulesId: string): readonly SnakeTick[] {
  const rules = snakeRules(rulesId);
  const draws = createDrawsOfRound(roundSeed);
  const cellAt = drawWay(draws);
  const ticks: SnakeTick[] = [];
  for (let tick = 1; ; tick++) {
    const meals = mealsAfter(tick);
    const length = Math.min(LENGTH_AT_FIRST + meals, LENGTH_MAX);
    const last = isLast(rules, tick, draws);
    ticks.push({
      tick,
      body: Array.from({ length }, (_, index) => cellAt(tick - index)),
      meal: cellAt(TICKS_A_MEAL * (meals + 1)),
      ate: tick % TICKS_A_MEAL === 0,
      score: POINTS_A_MEAL * meals,
      length,
      last,
    });
    if (last) return ticks;
  }
}

/** The cell of the head after a number of ticks; negative numbers give the first body. */
function drawWay(draws: Draws): (tick: number) => number {
  const path = drawPath(draws);
  const start = draws.below(CELLS);
  return (tick) => {
    const cell = path[(start + tick + CELLS) % CELLS];
    assert(cell !== undefined, 'the path is closed');
    return cell;
  };
}

/** The body before the first tick, head first. */
export function bodyAtStart(roundSeed: string): readonly number[] {
  const cellAt = drawWay(createDrawsOfRound(roundSeed));
  return Array.from({ length: LENGTH_AT_FIRST }, (_, index) => cellAt(-index));
}

/** Whether a round with this number of ticks pays. */
export const snakeEnding = ({ tick }: SnakeTick, rulesId: string): Ending =>
  endingAt(snakeRules(rulesId), mealsAfter(tick));

/** Reads a Snake outcome. Throws `Bug` for anything else. */
export function readSnakeOutcome(outcome: Outcome): SnakeOutcome {
  const [score, length] = [readCount(outcome, 'score'), readCount(outcome, 'length')];
  return { ...readTimed(outcome), score, length };
}
