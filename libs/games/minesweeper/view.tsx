import { type CSSProperties, memo } from 'react';
import type { FieldView } from '../face.tsx';
import type { RoundViewProps } from '../game.ts';
import { SIDE } from './field.ts';
import { distance, looksOf, type MinesweeperMove, movesOf } from './moves.ts';
import { minesweeperEnding, readMinesweeperOutcome } from './rules.ts';
import './minesweeper.css';

const DIGITS: Readonly<Record<string, string>> = {
  1: 'var(--sky, #7ab8ff)',
  2: 'var(--mint, #4cd6a0)',
  3: 'var(--coral, #ff7a70)',
  4: '#b685e8',
};
const INSET = 0.04;
const HIDDEN = Array.from({ length: SIDE * SIDE }, () => '#');

/** The field at one moment, from its properties alone. */
export function Minefield({ tick, next, ending, label }: FieldView<MinesweeperMove>) {
  const looks = tick ? looksOf(tick, ending !== null) : HIDDEN;
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
      fill="var(--brass, #e9b44c)"
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
