import { assert } from '@reelbook/ledger/assert';
import type { Outcome } from '@reelbook/ledger/player/events';
import { createDrawsOfRound, type Draws } from '../fairness/draw.ts';
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

/** The board's side in cells; a cell's number counts row by row from the top left. */
export const SIDE = 12;
export const CELLS = SIDE * SIDE;
const BLOCKS = SIDE / 2;

type Step = readonly [dx: number, dy: number];
const UP: Step = [0, -1];
const RIGHT: Step = [1, 0];
const DOWN: Step = [0, 1];
const LEFT: Step = [-1, 0];
/** The order of neighbours. */
const STEPS = [UP, RIGHT, DOWN, LEFT] as const;

/**
 * A random closed path over every cell of the board, so that a snake on it never meets itself: a random tree over the
 * blocks of 2 by 2 cells, and the path around it, clockwise. One draw for each block that is entered from one with several
 * free neighbours.
 */
function drawPath(draws: Draws): readonly number[] {
  const joined = drawTree(draws);
  const path: number[] = [];
  let [x, y] = [0, 0];
  do {
    path.push(y * SIDE + x);
    const [dx, dy] = stepFrom(x, y, joined);
    [x, y] = [x + dx, y + dy];
  } while (x !== 0 || y !== 0);
  assert(path.length === CELLS, 'the path visits every cell once');
  return path;
}

/** At each corner of a block: into the neighbour that the tree connects there, else along the block. */
function stepFrom(x: number, y: number, joined: ReadonlySet<string>): Step {
  const block = Math.floor(y / 2) * BLOCKS + Math.floor(x / 2);
  const is = (step: Step) => joined.has(edge(block, step));
  if (y % 2 === 0) {
    if (x % 2 === 0) return is(UP) ? UP : RIGHT;
    return is(RIGHT) ? RIGHT : DOWN;
  }
  if (x % 2 === 1) return is(DOWN) ? DOWN : LEFT;
  return is(LEFT) ? LEFT : UP;
}

/** Depth first from the block at the top left. Each connection is stored on both sides. */
function drawTree(draws: Draws): ReadonlySet<string> {
  const joined = new Set<string>();
  const entered = new Set([0]);
  const stack = [0];
  for (;;) {
    const block = stack.at(-1);
    if (block === undefined) return joined;
    const free = STEPS.flatMap((step) => {
      const next = neighbour(block, step);
      return next === null || entered.has(next) ? [] : [{ step, next }];
    });
    if (free.length === 0) {
      stack.pop();
      continue;
    }
    const taken = free[free.length === 1 ? 0 : draws.below(free.length)];
    assert(taken, 'the draw is below the number of neighbours');
    joined.add(edge(block, taken.step));
    joined.add(edge(taken.next, back(taken.step)));
    entered.add(taken.next);
    stack.push(taken.next);
  }
}

function neighbour(block: number, [dx, dy]: Step): number | null {
  const [x, y] = [(block % BLOCKS) + dx, Math.floor(block / BLOCKS) + dy];
  return x >= 0 && x < BLOCKS && y >= 0 && y < BLOCKS ? y * BLOCKS + x : null;
}

const back = ([dx, dy]: Step): Step => [-dx, -dy];
const edge = (block: number, [dx, dy]: Step) => `${block} ${dx + 0} ${dy + 0}`;

/** The number of cells to the next meal on the snake's path. */
const TICKS_A_MEAL = 4;
export const LENGTH_AT_FIRST = 3;

/** By the meals eaten; a meal makes the snake one cell longer. */
const SNAKE_RULES = [
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
] as const;

/** The outcome of a round of Snake in the ledger. */
type SnakeOutcome = TimedOutcome & {
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

export const snake = timedGame({
  id: 'snake',
  title: 'Snake',
  rules: SNAKE_RULES,
  odds: (rules) => ({
    reach: (meals) => lasts(rules, TICKS_A_MEAL * meals),
    rowOf: (meals) => `length ${LENGTH_AT_FIRST + meals}`,
  }),
  simulate: simulateSnake,
  count: ({ tick }) => mealsAfter(tick),
  figuresOf: ({ score, length }) => ({ score, length }),
  read: readSnakeOutcome,
  describe: ({ length, score }) => `length ${length}, score ${score}`,
  fields: { score: 'integer', length: 'integer', game_time: 'integer' },
  reportOf: ({ score, length, ticks }) => ({ score, length, game_time: ticks }),
});

const POINTS_A_MEAL = 10;
/** A longer snake would have no room for its next meal. It still eats, but does not grow. */
const LENGTH_MAX = 120;

const mealsAfter = (ticks: number) => Math.floor(ticks / TICKS_A_MEAL);

/**
 * The complete round, tick by tick, from its seed, for the page's drawing and the server's payout. Throws `Bug` for
 * unknown rules, RangeError for an invalid seed.
 */
export function simulateSnake(roundSeed: string, rulesId: string): readonly SnakeTick[] {
  const rules = rulesNamed(SNAKE_RULES, rulesId);
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
  endingAt(rulesNamed(SNAKE_RULES, rulesId), mealsAfter(tick));

/** Reads a Snake outcome. Throws `Bug` for anything else. */
export function readSnakeOutcome(outcome: Outcome): SnakeOutcome {
  const [score, length] = [readCount(outcome, 'score'), readCount(outcome, 'length')];
  return { ...readTimed(outcome), score, length };
}
