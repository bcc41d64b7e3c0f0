import { simulateTetris, type TetrisTick } from './rules.ts';
import { type Cell, COLUMNS, cornerOf, EMPTY, emptyWell, quartersOf } from './well.ts';

/** A tick with the way of its piece into the well, for the picture between two ticks. */
export interface TetrisMove extends TetrisTick {
  /** The well into which it falls. */
  readonly before: readonly string[];
  readonly fall: Fall;
}

/**
 * A piece enters above the well in its first shape, is steered to its column and turned, and falls straight. All in cells
 * relative to its place.
 */
export interface Fall {
  readonly column: number;
  /** Where it enters, and where it is in its column and turned: negative, above its place. */
  readonly enters: number;
  readonly steered: number;
  /** Clockwise quarter turns. */
  readonly quarters: number;
  /** The point around which it turns, from the left top of the well. */
  readonly middle: Cell;
}

/** A turning piece is never higher. */
const HEIGHT_MAX = 4;
/** The row at which a piece is steered at the latest. */
const STEERED_ROW = 2;

/** The round of `simulateTetris`; the places and figures are those of the rules. */
export function movesOf(roundSeed: string, rules: string): readonly TetrisMove[] {
  const ticks = simulateTetris(roundSeed, rules);
  return ticks.map((tick, i) => {
    const earlier = tick.emptied ? undefined : ticks[i - 1];
    // Full rows of the tick before are removed while the piece is steered, so it stays above them as well.
    const fall = fallOf(tick, tick.emptied ? 0 : freeRows(earlier?.resting ?? emptyWell));
    return { ...tick, before: earlier?.rows ?? emptyWell, fall };
  });
}

function fallOf({ piece, cells }: TetrisTick, free: number): Fall {
  const [left, top] = cornerOf(cells);
  const right = Math.max(...cells.map(([x]) => x)) + 1;
  const bottom = Math.max(...cells.map(([, y]) => y)) + 1;
  const middle = [(left + right) / 2, (top + bottom) / 2] as const;
  // Above the well, out of sight, if there is no room in it.
  const row = Math.max(-HEIGHT_MAX, Math.min(top, STEERED_ROW, free - HEIGHT_MAX));
  return {
    column: Math.floor(COLUMNS / 2 - middle[0]),
    enters: -HEIGHT_MAX - top,
    steered: row - top,
    quarters: quartersOf(piece, cells),
    middle,
  };
}

function freeRows(rows: readonly string[]): number {
  const filled = rows.findIndex((row) => row !== EMPTY.repeat(COLUMNS));
  return filled < 0 ? rows.length : filled;
}
