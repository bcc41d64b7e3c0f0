import type { RoundViewProps } from '../game.ts';
import { SIDE } from './path.ts';
import { readSnakeOutcome, type SnakeTick, simulateSnake } from './rules.ts';

export interface SnakeBoardProps {
  /** The tick to show; null for a board before its first. */
  readonly tick: SnakeTick | null;
  /** The text for screen readers. */
  readonly label?: string;
}

/** The board at one tick, from its properties alone. */
export function SnakeBoard({ tick, label }: SnakeBoardProps) {
  const description = tick ? `length ${tick.length}, score ${tick.score}` : 'empty board';
  const [head] = tick?.body ?? [];
  return (
    <svg
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      width="100%"
      role="img"
      aria-label={label ?? description}
      data-last={tick?.last ?? false}
    >
      <rect width={SIDE} height={SIDE} rx=".3" fill="var(--ink-2, #171b23)" />
      <path d={gridPath()} stroke="var(--line, #262d3a)" strokeWidth=".03" />
      {tick && <Meal cell={tick.meal} />}
      {tick && (
        <polyline
          points={tick.body.map(centre).join(' ')}
          fill="none"
          stroke={tick.last ? 'var(--text-3, #8a94a7)' : 'var(--mint, #4cd6a0)'}
          strokeWidth=".62"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
      {head !== undefined && (
        <Head cell={head} ate={tick?.ate ?? false} last={tick?.last ?? false} />
      )}
    </svg>
  );
}

/** A finished round: its last tick, or the given one. */
export function SnakeRound({ outcome, tick }: RoundViewProps) {
  const { roundSeed, rules } = readSnakeOutcome(outcome);
  const ticks = simulateSnake(roundSeed, rules);
  return <SnakeBoard tick={ticks[(tick ?? ticks.length) - 1] ?? null} />;
}

function Meal({ cell }: { readonly cell: number }) {
  const [x, y] = place(cell);
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle r=".3" fill="var(--coral, #ff7a70)" />
      <path
        d="M0 -.26Q.05 -.44 .22 -.46"
        fill="none"
        stroke="var(--mint, #4cd6a0)"
        strokeWidth=".1"
      />
      <circle cx="-.1" cy="-.1" r=".08" fill="#fff" opacity=".6" />
    </g>
  );
}

function Head({ cell, ate, last }: { cell: number; ate: boolean; last: boolean }) {
  const [x, y] = place(cell);
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle
        r={ate ? 0.46 : 0.4}
        fill={last ? 'var(--coral, #ff7a70)' : 'var(--brass, #e9b44c)'}
      />
      <circle cx="-.13" cy="-.1" r=".07" fill="#11141a" />
      <circle cx=".13" cy="-.1" r=".07" fill="#11141a" />
    </g>
  );
}

function place(cell: number): readonly [number, number] {
  return [(cell % SIDE) + 0.5, Math.floor(cell / SIDE) + 0.5];
}

const centre = (cell: number) => place(cell).join(',');

function gridPath(): string {
  const lines = Array.from(
    { length: SIDE - 1 },
    (_, i) => `M${i + 1} 0V${SIDE}M0 ${i + 1}H${SIDE}`,
  );
  return lines.join('');
}
