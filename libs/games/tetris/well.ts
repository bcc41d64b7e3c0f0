import { assert } from '@reelbook/ledger/assert';

/** The well: 20 rows of 10. A row is a string of its cells, top row first in a board. */
export const COLUMNS = 10;
export const ROWS = 20;
export const EMPTY = '.';
export const PIECES = ['I', 'J', 'L', 'O', 'S', 'T', 'Z'] as const;
export type Piece = (typeof PIECES)[number];

/** A cell: column from the left, row from the top, both from 0. */
export type Cell = readonly [column: number, row: number];

export interface Rest {
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
