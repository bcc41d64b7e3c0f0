import './tetris.css';
import { type CSSProperties, memo } from 'react';
import type { FieldView, TimedPage } from '../face.tsx';
import type { RoundViewProps } from '../game.ts';
import type { Ending } from '../timed.ts';
import {
  type Cell,
  COLUMNS,
  cornerOf,
  EMPTY,
  emptyWell,
  type Piece,
  quartersOf,
  ROWS,
  readTetrisOutcome,
  simulateTetris,
  type TetrisTick,
  tetrisEnding,
} from './rules.ts';

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

const COLOURS: Readonly<Record<Piece, string>> = {
  I: '#5ec8e5',
  J: '#6f8ff0',
  L: '#eea04a',
  O: '#e9c64c',
  S: '#4cd6a0',
  T: '#b685e8',
  Z: '#ef6f7d',
};
const INSET = 0.05;

/** The well at one moment, from its properties alone. */
export function TetrisWell({ tick, next, ending, label }: FieldView<TetrisMove>) {
  const description = tick
    ? `level ${tick.level}, ${tick.lines} lines, score ${tick.score}`
    : 'empty well';
  return (
    <svg
      viewBox={`0 0 ${COLUMNS} ${ROWS}`}
      width="100%"
      role="img"
      className="tetris-well"
      aria-label={label ?? description}
      data-tick={tick?.tick ?? 0}
      data-last={tick?.last ?? false}
      data-ending={ending ?? undefined}
    >
      <rect width={COLUMNS} height={ROWS} rx=".3" fill="var(--ink-2, #171b23)" />
      <path d={GRID} stroke="var(--line, #262d3a)" strokeWidth=".03" />
      {tick && <Stack tick={tick} drains={next?.emptied ?? false} />}
      {next && <Falling key={next.tick} move={next} />}
      {ending && <Ended key={ending} ending={ending} />}
    </svg>
  );
}

/** A finished round: its last tick, or the given one. */
export function TetrisRound({ outcome, tick: at }: RoundViewProps) {
  const { roundSeed, rules } = readTetrisOutcome(outcome);
  const moves = movesOf(roundSeed, rules);
  const tick = moves[(at ?? moves.length) - 1] ?? null;
  const ending = tick?.last ? tetrisEnding(tick, rules) : null;
  return <TetrisWell tick={tick} next={null} ending={ending} />;
}

/** The pieces at rest; full rows disappear, and the rows above them move down. */
function Stack({ tick, drains }: { tick: TetrisMove; drains: boolean }) {
  const { rows, resting, cleared } = tick;
  const dropOf = (y: number) => cleared.filter((full) => full > sourceOf(y, cleared)).length;
  return (
    <g className={drains ? 'tetris-drain' : undefined}>
      {rows.map((row, y) => {
        const drop = cleared.length > 0 ? dropOf(y) : 0;
        const style = { '--drop': -drop } as CSSProperties;
        return drop > 0 ? (
          <g key={`${tick.tick} ${y}`} className="tetris-row" style={style}>
            <Row row={row} y={y} />
          </g>
        ) : (
          <Row key={y} row={row} y={y} />
        );
      })}
      {cleared.map((y) => (
        <g key={`${tick.tick} ${y}`} className="tetris-full">
          <Row row={resting[y] ?? ''} y={y} />
          <rect y={y} width={COLUMNS} height="1" fill="#fff" className="tetris-flash" />
        </g>
      ))}
      {cleared.length === 0 && (
        <path key={tick.tick} d={squares(tick.cells)} fill="#fff" className="tetris-lock" />
      )}
    </g>
  );
}

/** The row in the well with its full rows that is row `y` without them. */
export function sourceOf(y: number, cleared: readonly number[]): number {
  let source = y;
  for (const full of [...cleared].sort((a, b) => b - a)) if (full >= source) source--;
  return source;
}

const Row = memo(function Row({ row, y }: { row: string; y: number }) {
  return [...row].map((cell, x) =>
    cell === EMPTY ? null : <Block key={x} x={x} y={y} piece={cell as Piece} />,
  );
});

function Block({ x, y, piece }: { x: number; y: number; piece: Piece }) {
  return (
    <>
      <rect
        x={x + INSET}
        y={y + INSET}
        width={1 - 2 * INSET}
        height={1 - 2 * INSET}
        rx=".16"
        fill={COLOURS[piece]}
        data-cell={piece}
      />
      <path
        d={`M${x + 0.18} ${y + 0.8}V${y + 0.18}H${x + 0.8}`}
        fill="none"
        stroke="#fff"
        strokeWidth=".07"
        opacity=".45"
      />
    </>
  );
}

const Falling = memo(function Falling({ move }: { move: TetrisMove }) {
  const { column, enters, steered, quarters, middle } = move.fall;
  const style = {
    '--column': column,
    '--enters': enters,
    '--steered': steered,
    '--turn': `${quarters === 3 ? 90 : -90 * quarters}deg`,
    transformOrigin: `${middle[0]}px ${middle[1]}px`,
  } as CSSProperties;
  return (
    <g className="tetris-fall" style={style}>
      {move.cells.map(([x, y]) => (
        <Block key={`${x} ${y}`} x={x} y={y} piece={move.piece} />
      ))}
    </g>
  );
});

/** A won round lights up from the ground, a lost one goes dark. */
function Ended({ ending }: { ending: Ending }) {
  return (
    <g className={`tetris-${ending}`}>
      {Array.from({ length: ROWS }, (_, y) => (
        <rect
          key={y}
          y={y}
          width={COLUMNS}
          height="1.02"
          style={{ '--order': ROWS - y } as CSSProperties}
        />
      ))}
    </g>
  );
}

const squares = (cells: readonly Cell[]) => cells.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('');

const GRID = [
  ...Array.from({ length: COLUMNS - 1 }, (_, x) => `M${x + 1} 0V${ROWS}`),
  ...Array.from({ length: ROWS - 1 }, (_, y) => `M0 ${y + 1}H${COLUMNS}`),
].join('');

export const page: TimedPage<TetrisMove> = {
  kind: 'lasting',
  simulate: movesOf,
  report: ({ score, lines, level, tick }) => ({ score, lines, level, game_time: tick }),
  draw: (view) => <TetrisWell {...view} />,
  figures: (tick) => [
    ['score', tick?.score ?? 0],
    ['lines', tick?.lines ?? 0],
    ['level', tick?.level ?? 1],
  ],
  count: (tick) => tick?.level ?? 1,
  aspect: 0.5,
};
