import type { TimedPage } from '../face.tsx';
import { type MinesweeperMove, movesOf } from './moves.ts';
import { Minefield } from './view.tsx';

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
