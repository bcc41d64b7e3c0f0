import type { TimedPage } from '../face.tsx';
import { movesOf, type TetrisMove } from './moves.ts';
import { TetrisWell } from './view.tsx';

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
