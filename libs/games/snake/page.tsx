import type { TimedPage } from '../face.tsx';
import { movesOf, type SnakeMove } from './moves.ts';
import { LENGTH_AT_FIRST } from './paytable.ts';
import { SnakeBoard } from './view.tsx';

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
