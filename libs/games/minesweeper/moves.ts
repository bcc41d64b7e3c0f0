import { SIDE } from './field.ts';
import { type MinesweeperTick, simulateMinesweeper } from './rules.ts';

/** A tick with what the picture distinguishes: a mine that was found, and one that only the end shows. */
export interface MinesweeperMove extends MinesweeperTick {
  /** The field before the end shows the rest: of an earlier tick `field` itself. */
  readonly played: string;
  /** The cell of this tick itself; null when none was left. `cell` of a lost end is the mine that was hit. */
  readonly own: number | null;
}

const CELLS = SIDE * SIDE;
const HIDDEN = '#'.repeat(CELLS);

/** The round of `simulateMinesweeper`; the places and figures are those of the rules. */
export function movesOf(roundSeed: string, rules: string): readonly MinesweeperMove[] {
  const moves: MinesweeperMove[] = [];
  for (const tick of simulateMinesweeper(roundSeed, rules)) {
    const before = moves.at(-1);
    moves.push({ ...tick, ...playedOf(tick, before?.played ?? HIDDEN, before?.minesFound ?? 0) });
  }
  return moves;
}

function playedOf(tick: MinesweeperTick, before: string, foundBefore: number) {
  const own = ownCell(tick, before, foundBefore);
  if (own === null) return { own, played: before };
  const look = tick.minesFound > foundBefore ? 'F' : tick.field.charAt(own);
  return { own, played: before.slice(0, own) + look + before.slice(own + 1) };
}

/** At a lost end, `cell` is the mine that was hit: the cell of the tick is the other one that changed. */
function ownCell(tick: MinesweeperTick, before: string, foundBefore: number): number | null {
  if (!tick.last || tick.completed) return tick.cell;
  const found = tick.minesFound > foundBefore;
  const own = [...tick.field].findIndex(
    (look, cell) => before[cell] === '#' && (found ? look === 'F' : look >= '0' && look <= '8'),
  );
  if (own >= 0) return own;
  return found ? tick.cell : null;
}

/** How a cell looks: also `D`, a mine that a cleared field shows, and `X`, a flag on the mine that was hit. */
export function looksOf(move: MinesweeperMove, isOver: boolean): readonly string[] {
  if (!isOver) return [...move.played];
  return [...move.field].map((look, cell) => {
    const wasFound = move.played[cell] === 'F';
    if (look === 'F' && !wasFound) return 'D';
    return look === '*' && wasFound ? 'X' : look;
  });
}

/** The larger of the distances in columns and rows. */
export function distance(a: number, b: number): number {
  const [dx, dy] = [(a % SIDE) - (b % SIDE), Math.floor(a / SIDE) - Math.floor(b / SIDE)];
  return Math.max(Math.abs(dx), Math.abs(dy));
}
