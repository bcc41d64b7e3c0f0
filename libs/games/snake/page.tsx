import type { TimedPage } from '../face.tsx';
import { LENGTH_AT_FIRST } from './paytable.ts';
import { type SnakeTick, simulateSnake } from './rules.ts';
import { SnakeBoard } from './view.tsx';

export const page: TimedPage<SnakeTick> = {
  kind: 'lasting',
  simulate: simulateSnake,
  report: ({ score, length, tick }) => ({ score, length, game_time: tick }),
  draw: (tick, label) => <SnakeBoard tick={tick} label={label} />,
  figures: (tick) => [
    ['score', tick?.score ?? 0],
    ['length', tick?.length ?? LENGTH_AT_FIRST],
  ],
  aspect: 1,
};
