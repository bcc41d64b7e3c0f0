import type { RoundViewProps } from '../game.ts';
import { SIDE } from './field.ts';
import { type MinesweeperTick, readMinesweeperOutcome, simulateMinesweeper } from './rules.ts';

const DIGITS: Readonly<Record<string, string>> = {
  1: 'var(--sky, #7ab8ff)',
  2: 'var(--mint, #4cd6a0)',
  3: 'var(--coral, #ff7a70)',
  4: '#b685e8',
};
const INSET = 0.05;

export interface MinefieldProps {
  /** The tick to show; null for a field before its first. */
  readonly tick: MinesweeperTick | null;
  /** The text for screen readers. */
  readonly label?: string;
}

/** The field at one tick, from its properties alone. */
export function Minefield({ tick, label }: MinefieldProps) {
  const cells = [...(tick?.field ?? '#'.repeat(SIDE * SIDE))];
  const description = tick ? `${tick.minesFound} mines found, score ${tick.score}` : 'hidden field';
  return (
    <svg
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      width="100%"
      role="img"
      aria-label={label ?? description}
      data-last={tick?.last ?? false}
    >
      <rect width={SIDE} height={SIDE} rx=".3" fill="var(--line, #262d3a)" />
      {cells.map((look, cell) => (
        <g key={cell} transform={`translate(${cell % SIDE} ${Math.floor(cell / SIDE)})`}>
          <FieldCell look={look} fresh={tick?.cell === cell} />
        </g>
      ))}
    </svg>
  );
}

/** A finished round: its last tick, or the given one. */
export function MinesweeperRound({ outcome, tick }: RoundViewProps) {
  const { roundSeed, rules } = readMinesweeperOutcome(outcome);
  const ticks = simulateMinesweeper(roundSeed, rules);
  return <Minefield tick={ticks[(tick ?? ticks.length) - 1] ?? null} />;
}

function FieldCell({ look, fresh }: { readonly look: string; readonly fresh: boolean }) {
  const hidden = look === '#' || look === 'F';
  const hit = look === '*';
  const fill = hidden ? 'var(--ink-3, #1f2530)' : 'var(--ink-1, #11141a)';
  return (
    <>
      <rect
        x={INSET}
        y={INSET}
        width={1 - 2 * INSET}
        height={1 - 2 * INSET}
        rx=".14"
        fill={hit ? 'var(--coral-soft, #43262a)' : fill}
        stroke={fresh ? 'var(--brass, #e9b44c)' : 'none'}
        strokeWidth=".07"
      />
      {look === 'F' && (
        <path
          d="M.4 .8V.22L.74 .38L.4 .54"
          fill="var(--brass, #e9b44c)"
          stroke="var(--brass, #e9b44c)"
          strokeWidth=".07"
        />
      )}
      {(hit || look === 'M') && (
        <circle
          cx=".5"
          cy=".5"
          r=".24"
          fill={hit ? 'var(--coral, #ff7a70)' : 'var(--text-3, #8a94a7)'}
        />
      )}
      {look >= '1' && look <= '8' && (
        <text
          x=".5"
          y=".69"
          fontSize=".56"
          fontWeight="600"
          textAnchor="middle"
          fill={DIGITS[look] ?? 'var(--text-2, #a9b2c3)'}
        >
          {look}
        </text>
      )}
    </>
  );
}
