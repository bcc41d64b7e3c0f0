import type { TimedPage } from '../face.tsx';
import { simulateTetris, type TetrisTick } from './rules.ts';
import { TetrisWell } from './view.tsx';

export const page: TimedPage<TetrisTick> = {
  kind: 'lasting',
  simulate: simulateTetris,
  report: ({ score, lines, level, tick }) => ({ score, lines, level, game_time: tick }),
  draw: (tick, label) => <TetrisWell tick={tick} label={label} />,
  figures: (tick) => [
    ['score', tick?.score ?? 0],
    ['lines', tick?.lines ?? 0],
    ['level', tick?.level ?? 1],
  ],
  aspect: 0.5,
};
