import type { RoundViewProps } from '../game.ts';
import { readTetrisOutcome, simulateTetris, type TetrisTick } from './rules.ts';
import { COLUMNS, EMPTY, type Piece, ROWS } from './well.ts';

const COLOURS: Readonly<Record<Piece, string>> = {
  I: '#5ec8e5',
  J: '#6f8ff0',
  L: '#eea04a',
  O: '#e9c64c',
  S: '#4cd6a0',
  T: '#b685e8',
  Z: '#ef6f7d',
};
const INSET = 0.06;

export interface TetrisWellProps {
  /** The tick to show; null for a well before its first. */
  readonly tick: TetrisTick | null;
  /** Shows the piece at rest, before its full rows are removed. */
  readonly resting?: boolean;
  /** The text for screen readers. */
  readonly label?: string;
}

/** The well at one tick, from its properties alone. */
export function TetrisWell({ tick, resting = false, label }: TetrisWellProps) {
  const cells = tick ? cellsOf(tick, resting) : [];
  const description = tick
    ? `level ${tick.level}, ${tick.lines} lines, score ${tick.score}`
    : 'empty well';
  return (
    <svg
      viewBox={`0 0 ${COLUMNS} ${ROWS}`}
      width="100%"
      role="img"
      aria-label={label ?? description}
      data-last={tick?.last ?? false}
    >
      <rect width={COLUMNS} height={ROWS} rx=".3" fill="var(--ink-2, #171b23)" />
      <path d={gridPath()} stroke="var(--line, #262d3a)" strokeWidth=".03" />
      {cells.map(({ x, y, piece, fresh }) => (
        <g key={`${x} ${y}`} opacity={tick?.last && !fresh ? 0.55 : 1}>
          <rect
            x={x + INSET}
            y={y + INSET}
            width={1 - 2 * INSET}
            height={1 - 2 * INSET}
            rx=".14"
            fill={COLOURS[piece]}
            stroke={fresh ? 'var(--text, #eceff4)' : 'none'}
            strokeWidth=".07"
          />
          <path
            d={`M${x + 0.18} ${y + 0.8}V${y + 0.18}H${x + 0.8}`}
            fill="none"
            stroke="#fff"
            strokeWidth=".07"
            opacity=".45"
          />
        </g>
      ))}
    </svg>
  );
}

/** A finished round: its last tick, or the given one. */
export function TetrisRound({ outcome, tick }: RoundViewProps) {
  const { roundSeed, rules } = readTetrisOutcome(outcome);
  const ticks = simulateTetris(roundSeed, rules);
  return <TetrisWell tick={ticks[(tick ?? ticks.length) - 1] ?? null} />;
}

interface Shown {
  readonly x: number;
  readonly y: number;
  readonly piece: Piece;
  /** Of the piece that came to rest last. */
  readonly fresh: boolean;
}

function cellsOf(tick: TetrisTick, resting: boolean): readonly Shown[] {
  const own = new Set(tick.cells.map(([x, y]) => `${x} ${y}`));
  const inPlace = resting || tick.cleared.length === 0;
  return (resting ? tick.resting : tick.rows).flatMap((row, y) =>
    [...row].flatMap((cell, x) => {
      const fresh = inPlace && own.has(`${x} ${y}`);
      return cell === EMPTY ? [] : [{ x, y, piece: cell as Piece, fresh }];
    }),
  );
}

function gridPath(): string {
  const down = Array.from({ length: COLUMNS - 1 }, (_, x) => `M${x + 1} 0V${ROWS}`);
  const across = Array.from({ length: ROWS - 1 }, (_, y) => `M0 ${y + 1}H${COLUMNS}`);
  return [...down, ...across].join('');
}
