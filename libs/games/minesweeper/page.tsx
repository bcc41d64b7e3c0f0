import type { TimedPage } from '../face.tsx';
import { type MinesweeperTick, simulateMinesweeper } from './rules.ts';
import { Minefield } from './view.tsx';

export const page: TimedPage<MinesweeperTick> = {
  kind: 'lasting',
  simulate: simulateMinesweeper,
  report: ({ score, tick, completed, minesFound }) => ({
    score,
    game_time: tick,
    is_completed: completed,
    mines_found: minesFound,
  }),
  draw: (tick, label) => <Minefield tick={tick} label={label} />,
  figures: (tick) => [
    ['score', tick?.score ?? 0],
    ['minesFound', tick?.minesFound ?? 0],
  ],
  aspect: 1,
};
