import { LENGTH_AT_FIRST } from '@reelbook/games/snake/paytable';
import { type SnakeTick, simulateSnake } from '@reelbook/games/snake/rules';
import { SnakeBoard } from '@reelbook/games/snake/view';
import type { MiniGameParts } from './mini-game.ts';
import { MiniGamePage } from './mini-game-page.tsx';

const parts: MiniGameParts<SnakeTick> = {
  game: 'snake',
  simulate: simulateSnake,
  report: ({ score, length, tick }) => ({ score, length, game_time: tick }),
  draw: (tick, label) => <SnakeBoard tick={tick} label={label} />,
  figures: (tick) => [
    ['score', tick?.score ?? 0],
    ['length', tick?.length ?? LENGTH_AT_FIRST],
  ],
  aspect: 1,
};

export const SnakePage = () => <MiniGamePage parts={parts} />;
