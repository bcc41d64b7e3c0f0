import './snake.css';
import type { CSSProperties } from 'react';
import type { FieldView, TimedPage } from '../face.tsx';
import type { RoundViewProps } from '../game.ts';
import type { Ending } from '../timed.ts';
import {
  bodyAtStart,
  LENGTH_AT_FIRST,
  readSnakeOutcome,
  SIDE,
  type SnakeTick,
  simulateSnake,
  snakeEnding,
} from './rules.ts';

/** A tick with the body before it, for the picture between two ticks. */
export interface SnakeMove extends SnakeTick {
  readonly from: readonly number[];
}

/** The round of `simulateSnake`; the places and figures are those of the rules. */
export function movesOf(roundSeed: string, rules: string): readonly SnakeMove[] {
  const ticks = simulateSnake(roundSeed, rules);
  return ticks.map((tick, i) => ({
    ...tick,
    from: ticks[i - 1]?.body ?? bodyAtStart(roundSeed),
  }));
}

/** Column and row of the middle of a cell. */
export const placeOf = (cell: number): readonly [number, number] => [
  (cell % SIDE) + 0.5,
  Math.floor(cell / SIDE) + 0.5,
];

/** The direction of a head, by the two foremost cells: 0 to the right, then clockwise in quarter turns. */
export function headingOf([head = 0, neck = 0]: readonly number[]): number {
  const step = head - neck;
  return step === 1 ? 0 : step === SIDE ? 1 : step === -1 ? 2 : 3;
}

export type Obstacle = 'wall' | 'body' | 'stone';

/** What a lost snake hits straight ahead; a stone where nothing else is. */
export function obstacleOf(body: readonly number[]): Obstacle {
  const [head = 0] = body;
  const [x, y] = placeOf(head);
  const heading = headingOf(body);
  const [dx = 0, dy = 0] = STEPS[heading] ?? [];
  const [ahead, below] = [x + dx, y + dy];
  if (ahead < 0 || ahead > SIDE || below < 0 || below > SIDE) return 'wall';
  return body.includes(head + dx + dy * SIDE) ? 'body' : 'stone';
}

export const STEPS: readonly (readonly [dx: number, dy: number])[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

/** Widths of the body: its rim, its skin, its back. */
const LAYERS = ['rim', 'skin', 'back'] as const;
const WIDTHS = { rim: 0.74, skin: 0.6, back: 0.18 } as const;

/** The board at one moment, from its properties alone. */
export function SnakeBoard({ tick, next, ending, label }: FieldView<SnakeMove>) {
  const description = tick ? `length ${tick.length}, score ${tick.score}` : 'empty board';
  const body = tick?.body ?? next?.from ?? [];
  const meal = ending === 'lost' ? undefined : (tick ?? next)?.meal;
  return (
    <svg
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      width="100%"
      role="img"
      className="snake-board"
      aria-label={label ?? description}
      data-tick={tick?.tick ?? 0}
      data-last={tick?.last ?? false}
      data-ending={ending ?? undefined}
    >
      <rect width={SIDE} height={SIDE} rx=".3" fill="var(--ink-2, #171b23)" />
      <path d={CHECKS} fill="var(--ink-3, #1f2530)" opacity=".55" />
      {meal !== undefined && <Meal key={meal} cell={meal} isEaten={next?.ate ?? false} />}
      {body.length > 0 && (
        <g className="snake" key={ending ?? 'alive'}>
          {LAYERS.map((layer) => (
            <Body key={layer} body={body} next={next} width={WIDTHS[layer]} layer={layer} />
          ))}
          <Head key={tick?.tick} {...{ body, next, ending }} ate={tick?.ate ?? false} />
        </g>
      )}
      {ending === 'lost' && <Crash body={body} />}
    </svg>
  );
}

/** A finished round: its last tick, or the given one. */
export function SnakeRound({ outcome, tick: at }: RoundViewProps) {
  const { roundSeed, rules } = readSnakeOutcome(outcome);
  const moves = movesOf(roundSeed, rules);
  const tick = moves[(at ?? moves.length) - 1] ?? null;
  const ending = tick?.last ? snakeEnding(tick, rules) : null;
  return <SnakeBoard tick={tick} next={null} ending={ending} />;
}

/** Between two ticks the cells of both are still; a piece grows to the next head, another one shrinks from the tail. */
function Body(props: {
  body: readonly number[];
  next: SnakeMove | null;
  width: number;
  layer: string;
}) {
  const { body, next, width, layer } = props;
  const still = next ? next.body.slice(1) : body;
  const [tail, before] = [body.at(-1), still.at(-1)];
  const shrinks = next && tail !== undefined && before !== undefined && tail !== before;
  return (
    <g className={`snake-${layer}`}>
      <polyline
        points={still.map((cell) => placeOf(cell).join()).join(' ')}
        strokeWidth={width}
        data-cells={body.length}
      />
      {next && <Link key={next.tick} from={still[0]} to={next.body[0]} width={width} how="grows" />}
      {shrinks && (
        <g key={`tail ${next.tick}`}>
          <Link from={before} to={tail} width={width} how="shrinks" />
          <Mover from={tail} to={before}>
            <circle r={width / 2} />
          </Mover>
        </g>
      )}
    </g>
  );
}

/** A piece of the body from the middle of one cell to the next. */
function Link(props: {
  from: number | undefined;
  to: number | undefined;
  width: number;
  how: 'grows' | 'shrinks';
}) {
  const { from = 0, to = 0, width, how } = props;
  const [x, y] = placeOf(from);
  return (
    <g transform={`translate(${x} ${y}) rotate(${90 * headingOf([to, from])})`}>
      <rect y={-width / 2} width="1" height={width} className={`snake-${how}`} />
    </g>
  );
}

function Mover(props: { from: number; to: number; children: React.ReactNode }) {
  const [[x0, y0], [x1, y1]] = [placeOf(props.from), placeOf(props.to)];
  return (
    <g
      className="snake-moves"
      style={{ '--x0': x0, '--y0': y0, '--x1': x1, '--y1': y1 } as CSSProperties}
    >
      {props.children}
    </g>
  );
}

function Head(props: {
  body: readonly number[];
  next: SnakeMove | null;
  ate: boolean;
  ending: Ending | null;
}) {
  const { body, next, ate, ending } = props;
  const [head = 0] = body;
  const to = next?.body[0] ?? head;
  const [before, heading] = [headingOf(body), headingOf(next?.body ?? body)];
  // The shorter way round.
  const turn = ((before - heading + 5) % 4) - 1;
  return (
    <Mover from={head} to={to}>
      <g transform={`rotate(${90 * heading})`}>
        <g className="snake-turns" style={{ '--turn': `${90 * turn}deg` } as CSSProperties}>
          <g className={ending === 'lost' ? 'snake-bump' : ate ? 'snake-gulp' : undefined}>
            <path d="M-.44 -.38H.02Q.52 -.36 .52 0T.02 .38H-.44" className="snake-head" />
            {[-0.19, 0.19].map((y) => (
              <Eye key={y} y={y} ending={ending} />
            ))}
          </g>
        </g>
      </g>
    </Mover>
  );
}

function Eye({ y, ending }: { y: number; ending: Ending | null }) {
  if (ending === 'lost') {
    const d = `M-.03 ${y - 0.09}l.18 .18m0-.18l-.18 .18`;
    return <path d={d} stroke="#11141a" strokeWidth=".06" strokeLinecap="round" />;
  }
  return (
    <>
      <circle cx=".08" cy={y} r=".12" fill="#fff" />
      <circle cx=".12" cy={y} r=".065" fill="#11141a" />
    </>
  );
}

function Meal({ cell, isEaten }: { readonly cell: number; readonly isEaten: boolean }) {
  const [x, y] = placeOf(cell);
  return (
    <g transform={`translate(${x} ${y})`}>
      <g className={isEaten ? 'snake-eaten' : 'snake-meal'}>
        <circle r=".32" fill="var(--coral, #ff7a70)" data-meal={cell} />
        <path
          d="M0 -.28Q.05 -.46 .24 -.48"
          fill="none"
          stroke="var(--mint, #4cd6a0)"
          strokeWidth=".1"
          strokeLinecap="round"
        />
        <circle cx="-.11" cy="-.11" r=".08" fill="#fff" opacity=".6" />
      </g>
    </g>
  );
}

/** A lost round: the obstacle straight ahead, and the impact. */
function Crash({ body }: { body: readonly number[] }) {
  const [head = 0] = body;
  const [x, y] = placeOf(head);
  const heading = headingOf(body);
  const obstacle = obstacleOf(body);
  const [dx = 0, dy = 0] = STEPS[heading] ?? [];
  return (
    <g data-obstacle={obstacle}>
      {obstacle === 'stone' && (
        <g transform={`translate(${x + dx} ${y + dy})`}>
          <path
            d="M-.4 .3L-.44 -.08L-.18 -.4L.2 -.42L.44 -.1L.4 .3L.1 .42Z"
            fill="var(--text-3, #8a94a7)"
            stroke="var(--ink-0, #0b0d11)"
            strokeWidth=".06"
            strokeLinejoin="round"
            className="snake-stone"
          />
        </g>
      )}
      <g transform={`translate(${x + dx / 2} ${y + dy / 2}) rotate(${90 * heading})`}>
        <path d={BURST} className="snake-burst" />
      </g>
    </g>
  );
}

/** Rays away from the point of impact. */
const BURST = [-70, -35, 0, 35, 70, 110, -110]
  .map((degrees) => {
    const angle = ((180 + degrees) * Math.PI) / 180;
    const at = (length: number) =>
      `${(length * Math.cos(angle)).toFixed(2)} ${(length * Math.sin(angle)).toFixed(2)}`;
    return `M${at(0.5)}L${at(0.95)}`;
  })
  .join('');

/** Every second cell, as one path. */
const CHECKS = Array.from({ length: SIDE * SIDE }, (_, cell) => cell)
  .filter((cell) => ((cell % SIDE) + Math.floor(cell / SIDE)) % 2 === 1)
  .map((cell) => `M${cell % SIDE} ${Math.floor(cell / SIDE)}h1v1h-1z`)
  .join('');

export const page: TimedPage<SnakeMove> = {
  kind: 'lasting',
  simulate: movesOf,
  report: ({ score, length, tick }) => ({ score, length, game_time: tick }),
  draw: (view) => <SnakeBoard {...view} />,
  figures: (tick) => [
    ['score', tick?.score ?? 0],
    ['length', tick?.length ?? LENGTH_AT_FIRST],
  ],
  count: (tick) => tick?.length ?? LENGTH_AT_FIRST,
  aspect: 1,
};
