import './minesweeper.css';
import { type CSSProperties, memo } from 'react';
import type { FieldView, TimedPage } from '../face.tsx';
import type { RoundViewProps } from '../game.ts';
import {
  type MinesweeperTick,
  minesweeperEnding,
  readMinesweeperOutcome,
  SIDE,
  simulateMinesweeper,
} from './rules.ts';

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

const DIGITS: Readonly<Record<string, string>> = {
  1: 'var(--sky, #7ab8ff)',
  2: 'var(--mint, #4cd6a0)',
  3: 'var(--coral, #ff7a70)',
  4: '#b685e8',
};
const INSET = 0.04;
const HIDDEN_FIELDS = Array.from({ length: SIDE * SIDE }, () => '#');

/** The field at one moment, from its properties alone. */
export function Minefield({ tick, next, ending, label }: FieldView<MinesweeperMove>) {
  const looks = tick ? looksOf(tick, ending !== null) : HIDDEN_FIELDS;
  const description = tick ? `${tick.minesFound} mines found, score ${tick.score}` : 'hidden field';
  const centre = tick?.cell ?? 0;
  const isHit = ending !== null && tick?.completed === false;
  return (
    <svg
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      width="100%"
      role="img"
      className="minefield"
      aria-label={label ?? description}
      data-tick={tick?.tick ?? 0}
      data-last={tick?.last ?? false}
      data-ending={ending ?? undefined}
      data-hit={isHit}
    >
      <rect width={SIDE} height={SIDE} rx=".3" fill="var(--line, #262d3a)" />
      <g className="minefield-cells">
        {looks.map((look, cell) => (
          <g key={cell} transform={`translate(${cell % SIDE} ${Math.floor(cell / SIDE)})`}>
            <FieldCell
              look={look === 'D' && ending === 'lost' ? 'M' : look}
              order={ending === null ? 0 : distance(cell, centre)}
            />
          </g>
        ))}
        {isHit && tick.cell !== null && (
          <g transform={`translate(${middleOf(tick.cell).join()})`}>
            <circle r="1.1" className="mine-blast" />
          </g>
        )}
      </g>
      {next && <Cursor key={next.tick} from={tick?.own ?? null} to={next.own} />}
    </svg>
  );
}

/** A finished round: its last tick, or the given one. */
export function MinesweeperRound({ outcome, tick: at }: RoundViewProps) {
  const { roundSeed, rules } = readMinesweeperOutcome(outcome);
  const moves = movesOf(roundSeed, rules);
  const tick = moves[(at ?? moves.length) - 1] ?? null;
  const ending = tick?.last ? minesweeperEnding(tick, rules) : null;
  return <Minefield tick={tick} next={null} ending={ending} />;
}

/** Moves to the cell of the next tick, which stays hidden until then. */
function Cursor({ from, to }: { from: number | null; to: number | null }) {
  if (to === null) return null;
  const [[x0, y0], [x1, y1]] = [middleOf(from ?? to), middleOf(to)];
  const style = { '--x0': x0, '--y0': y0, '--x1': x1, '--y1': y1 } as CSSProperties;
  return (
    <g className="mine-cursor" style={style}>
      <rect x="-.5" y="-.5" width="1" height="1" rx=".18" />
    </g>
  );
}

const middleOf = (cell: number): readonly [number, number] => [
  (cell % SIDE) + 0.5,
  Math.floor(cell / SIDE) + 0.5,
];

/** `order` delays what the end shows, away from its cell. */
const FieldCell = memo(function FieldCell({ look, order }: { look: string; order: number }) {
  const isHidden = look === '#' || look === 'F';
  const isHit = look === '*' || look === 'X';
  return (
    <g
      key={look}
      className={look === '#' ? undefined : 'mine-opens'}
      style={order > 0 ? ({ '--order': order } as CSSProperties) : undefined}
      data-look={look}
    >
      <rect
        x={INSET}
        y={INSET}
        width={1 - 2 * INSET}
        height={1 - 2 * INSET}
        rx=".14"
        fill={isHit ? 'var(--coral, #ff7a70)' : isHidden ? HIDDEN_FILL : OPEN_FILL}
      />
      {isHidden && <path d={RIM} fill="none" stroke="#fff" strokeWidth=".05" opacity=".16" />}
      {(look === 'F' || look === 'X') && <Flag isTorn={look === 'X'} />}
      {(look === 'M' || isHit) && <Mine fill={isHit ? '#11141a' : 'var(--text-3, #8a94a7)'} />}
      {look === 'D' && <Mine fill="var(--mint, #4cd6a0)" />}
      {look >= '1' && look <= '8' && (
        <text
          x=".5"
          y=".7"
          fontSize=".58"
          fontWeight="650"
          textAnchor="middle"
          fill={DIGITS[look] ?? 'var(--text-2, #a9b2c3)'}
        >
          {look}
        </text>
      )}
    </g>
  );
});

const HIDDEN_FILL = 'var(--line-strong, #364052)';
const OPEN_FILL = 'var(--ink-1, #11141a)';
const RIM = 'M.12 .86V.2Q.12 .12 .2 .12H.86';

function Flag({ isTorn }: { isTorn: boolean }) {
  return (
    <path
      d="M.4 .8V.22L.74 .38L.4 .54"
      fill="var(--gold, #e9b44c)"
      stroke="var(--brass, #e9b44c)"
      strokeWidth=".07"
      strokeLinejoin="round"
      transform={isTorn ? 'rotate(58 .5 .5) translate(-.1 -.16) scale(.8)' : undefined}
    />
  );
}

function Mine({ fill }: { fill: string }) {
  return (
    <>
      <circle cx=".5" cy=".5" r=".22" fill={fill} />
      <path
        d="M.5 .2V.8M.2 .5H.8M.29 .29L.71 .71M.71 .29L.29 .71"
        stroke={fill}
        strokeWidth=".07"
        strokeLinecap="round"
      />
      <circle cx=".43" cy=".43" r=".055" fill="#fff" opacity=".7" />
    </>
  );
}

export const page: TimedPage<MinesweeperMove> = {
  kind: 'lasting',
  simulate: movesOf,
  report: ({ score, tick, completed, minesFound }) => ({
    score,
    game_time: tick,
    is_completed: completed,
    mines_found: minesFound,
  }),
  draw: (view) => <Minefield {...view} />,
  figures: (tick) => [
    ['score', tick?.score ?? 0],
    ['minesFound', tick?.minesFound ?? 0],
  ],
  count: (tick) => tick?.minesFound ?? 0,
  isVoid: ({ completed }) => !completed,
  aspect: 1,
};
