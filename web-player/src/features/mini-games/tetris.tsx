import { simulateTetris, type TetrisTick } from '@reelbook/games/tetris/rules';
import { TetrisWell } from '@reelbook/games/tetris/view';
import type { MiniGameParts } from './mini-game.ts';
import { MiniGamePage } from './mini-game-page.tsx';

const parts: MiniGameParts<TetrisTick> = {
  game: 'tetris',
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

export const TetrisPage = () => <MiniGamePage parts={parts} />;
