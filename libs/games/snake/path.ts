import { assert } from '@reelbook/ledger/assert';
import type { Draws } from '../fairness/draw.ts';

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
export function drawPath(draws: Draws): readonly number[] {
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
