import { assert } from '@reelbook/ledger/assert';
import type { Outcome } from '@reelbook/ledger/player/events';
import { createDrawsOfRound } from '../fairness/draw.ts';
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

/** Pieces for the next level; one piece comes to rest per tick. */
const PIECES_A_LEVEL = 10;

/** By the level reached, which depends on the length of the round. */
const TETRIS_RULES = [
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
] as const;

/** The well: 20 rows of 10. A row is a string of its cells, top row first in a board. */
export const COLUMNS = 10;
export const ROWS = 20;
export const EMPTY = '.';
export const PIECES = ['I', 'J', 'L', 'O', 'S', 'T', 'Z'] as const;
export type Piece = (typeof PIECES)[number];

/** A cell: column from the left, row from the top, both from 0. */
export type Cell = readonly [column: number, row: number];

interface Rest {
  readonly cells: readonly Cell[];
  /** Rows that are full with it, before they are removed. */
  readonly cleared: readonly number[];
  /** The well with the piece, including its full rows. */
  readonly resting: readonly string[];
  /** The well without its full rows. */
  readonly rows: readonly string[];
}

/** A rotation of a piece: its cells in its own box, and the same as bits, one number per row. */
interface Turn {
  readonly cells: readonly Cell[];
  readonly masks: readonly number[];
  readonly width: number;
}

const TURNS: Readonly<Record<Piece, readonly Turn[]>> = turns({
  I: ['####'],
  J: ['#..', '###'],
  L: ['..#', '###'],
  O: ['##', '##'],
  S: ['.##', '##.'],
  T: ['.#.', '###'],
  Z: ['##.', '.##'],
});

/** Weights of a place that keep a well low for long. Integers, so that every machine computes the same. */
const WEIGH = { height: 51, line: 76, hole: 36, step: 18 } as const;
const FULL = 2 ** COLUMNS - 1;

export const emptyWell: readonly string[] = Array.from({ length: ROWS }, () =>
  EMPTY.repeat(COLUMNS),
);

/**
 * Where a piece comes to rest: the best place by the weights, the first of equals (rotations in order, then columns from
 * the left). Null when there is no room for it.
 */
export function settle(rows: readonly string[], piece: Piece): Rest | null {
  const masks = rows.map((row) => [...row].reduce((mask, cell, x) => mask | bit(cell, x), 0));
  let best: { cells: readonly Cell[]; cost: number } | null = null;
  for (const turn of TURNS[piece]) {
    for (let column = 0; column + turn.width <= COLUMNS; column++) {
      const top = drop(masks, turn, column);
      if (top < 0) continue;
      const cost = costOf(masks, turn, column, top);
      if (best && best.cost <= cost) continue;
      best = { cost, cells: turn.cells.map(([x, y]) => [column + x, top + y]) };
    }
  }
  return best && restOf(rows, best.cells, piece);
}

/** How many clockwise quarter turns from its first shape a piece has, by its cells from `settle`. */
export function quartersOf(piece: Piece, cells: readonly Cell[]): number {
  const [left, top] = cornerOf(cells);
  const own = JSON.stringify(cells.map(([x, y]) => [x - left, y - top]));
  const quarters = TURNS[piece].findIndex((turn) => JSON.stringify(turn.cells) === own);
  assert(quarters >= 0, `the cells are those of ${piece}`);
  return quarters;
}

/** The left column and the top row of some cells. */
export const cornerOf = (cells: readonly Cell[]): Cell => [
  Math.min(...cells.map(([x]) => x)),
  Math.min(...cells.map(([, y]) => y)),
];

const bit = (cell: string, x: number) => (cell === EMPTY ? 0 : 1 << x);

/** The row of the top of a piece after it falls from above the well; -1: it does not fit. */
function drop(masks: readonly number[], turn: Turn, column: number): number {
  let top = -1;
  while (isFree(masks, turn, column, top + 1)) top++;
  return top;
}

function isFree(masks: readonly number[], turn: Turn, column: number, top: number): boolean {
  for (let y = 0; y < turn.masks.length; y++) {
    const row = masks[top + y];
    if (row === undefined || (row & ((turn.masks[y] ?? 0) << column)) !== 0) return false;
  }
  return true;
}

/** The cost of a place: height, holes and unevenness of the well after it, less the rows it fills. */
function costOf(before: readonly number[], turn: Turn, column: number, top: number): number {
  const masks: number[] = [];
  let cleared = 0;
  for (let y = 0; y < ROWS; y++) {
    const mask = (before[y] ?? 0) | ((turn.masks[y - top] ?? 0) << column);
    if (mask === FULL) cleared++;
    else masks.push(mask);
  }
  let [height, holes, steps, left] = [0, 0, 0, -1];
  for (let x = 0; x < COLUMNS; x++) {
    let high = 0;
    for (let y = 0; y < masks.length; y++) {
      const filled = ((masks[y] ?? 0) >> x) & 1;
      if (high === 0) high = filled === 1 ? masks.length - y : 0;
      else if (filled === 0) holes++;
    }
    height += high;
    if (left >= 0) steps += Math.abs(high - left);
    left = high;
  }
  return WEIGH.height * height + WEIGH.hole * holes + WEIGH.step * steps - WEIGH.line * cleared;
}

function restOf(before: readonly string[], cells: readonly Cell[], piece: Piece): Rest {
  const filled = [...before];
  for (const [x, y] of cells) {
    const row = filled[y];
    assert(row, 'a piece rests inside the well');
    filled[y] = row.slice(0, x) + piece + row.slice(x + 1);
  }
  const cleared = filled.flatMap((row, y) => (row.includes(EMPTY) ? [] : [y]));
  const left = filled.filter((row) => row.includes(EMPTY));
  const rows = [...emptyWell.slice(0, cleared.length), ...left];
  return { cells, cleared, resting: filled, rows };
}

/** The four quarter turns of each piece, clockwise; equal ones once. */
function turns(shapes: Readonly<Record<Piece, readonly string[]>>) {
  const all = PIECES.map((piece) => {
    let cells: readonly Cell[] = shapes[piece].flatMap((row, y) =>
      [...row].flatMap((mark, x) => (mark === '#' ? [[x, y] as const] : [])),
    );
    const ways = new Map<string, Turn>();
    for (let quarter = 0; quarter < 4; quarter++) {
      ways.set(JSON.stringify(cells), turnOf(cells));
      const depth = Math.max(...cells.map(([, y]) => y));
      cells = cells
        .map(([x, y]) => [depth - y, x] as const)
        .sort(([ax, ay], [bx, by]) => ay - by || ax - bx);
    }
    return [piece, [...ways.values()]] as const;
  });
  return Object.fromEntries(all) as unknown as Record<Piece, readonly Turn[]>;
}

function turnOf(cells: readonly Cell[]): Turn {
  const masks: number[] = [];
  for (const [x, y] of cells) masks[y] = (masks[y] ?? 0) | (1 << x);
  return { cells, masks, width: Math.max(...cells.map(([x]) => x)) + 1 };
}

/** The outcome of a round of Tetris in the ledger. */
type TetrisOutcome = TimedOutcome & {
  readonly score: number;
  readonly lines: number;
  readonly level: number;
};

/** One tick of a round: a piece came to rest. */
export interface TetrisTick {
  /** From 1. */
  readonly tick: number;
  readonly piece: Piece;
  /** Whether the well was emptied first, because the piece had no room. */
  readonly emptied: boolean;
  /** Its cells in `resting`. */
  readonly cells: readonly Cell[];
  /** Its full rows, counted from the top. */
  readonly cleared: readonly number[];
  /** The well: 20 rows of 10 cells, top row first; a cell is the letter of its piece or a dot. */
  readonly resting: readonly string[];
  /** The well without its full rows. */
  readonly rows: readonly string[];
  readonly score: number;
  readonly lines: number;
  readonly level: number;
  readonly last: boolean;
}

export const tetris = timedGame({
  id: 'tetris',
  title: 'Tetris',
  rules: TETRIS_RULES,
  odds: (rules) => ({
    reach: (level) => lasts(rules, PIECES_A_LEVEL * (level - 1)),
    rowOf: (level) => `level ${level}`,
  }),
  simulate: simulateTetris,
  count: ({ level }) => level,
  figuresOf: ({ score, lines, level }) => ({ score, lines, level }),
  read: readTetrisOutcome,
  describe: ({ level, lines, score }) => `level ${level}, ${lines} lines, score ${score}`,
  fields: { score: 'integer', lines: 'integer', level: 'integer', game_time: 'integer' },
  reportOf: ({ score, lines, level, ticks }) => ({ score, lines, level, game_time: ticks }),
});

const POINTS_A_PIECE = 10;
/** For 0 to 4 rows that one piece fills. */
const POINTS_FOR_LINES = [0, 100, 300, 500, 800] as const;

/**
 * The complete round, tick by tick, from its seed, for the page's drawing and the server's payout. Throws `Bug` for
 * unknown rules, RangeError for an invalid seed.
 */
export function simulateTetris(roundSeed: string, rulesId: string): readonly TetrisTick[] {
  const rules = rulesNamed(TETRIS_RULES, rulesId);
  const draws = createDrawsOfRound(roundSeed);
  const ticks: TetrisTick[] = [];
  let [rows, score, lines] = [emptyWell, 0, 0];
  for (let tick = 1; ; tick++) {
    const piece = PIECES[draws.below(PIECES.length)];
    assert(piece, 'the draw is below the number of pieces');
    // Only chance ends a round: a full well is emptied.
    const fits = settle(rows, piece);
    const rest = fits ?? settle(emptyWell, piece);
    assert(rest, 'an empty well has room');
    rows = rest.rows;
    lines += rest.cleared.length;
    score += POINTS_A_PIECE + (POINTS_FOR_LINES[rest.cleared.length] ?? 0);
    const level = 1 + Math.floor(tick / PIECES_A_LEVEL);
    const last = isLast(rules, tick, draws);
    ticks.push({ tick, piece, emptied: fits === null, ...rest, score, lines, level, last });
    if (last) return ticks;
  }
}

/** Whether a round that ends at this tick pays. */
export const tetrisEnding = ({ level }: TetrisTick, rulesId: string): Ending =>
  endingAt(rulesNamed(TETRIS_RULES, rulesId), level);

/** Reads a Tetris outcome. Throws `Bug` for anything else. */
export function readTetrisOutcome(outcome: Outcome): TetrisOutcome {
  const count = (name: string) => readCount(outcome, name);
  const [score, lines, level] = [count('score'), count('lines'), count('level')];
  return { ...readTimed(outcome), score, lines, level };
}
