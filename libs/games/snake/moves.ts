import { SIDE } from './path.ts';
import { bodyAtStart, type SnakeTick, simulateSnake } from './rules.ts';

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
