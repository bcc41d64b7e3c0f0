import { type MinesweeperTick, simulateMinesweeper } from '@reelbook/games/minesweeper/rules';
import { Minefield } from '@reelbook/games/minesweeper/view';
import type { MiniGameParts } from './mini-game.ts';
import { MiniGamePage } from './mini-game-page.tsx';

const parts: MiniGameParts<MinesweeperTick> = {
  game: 'minesweeper',
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

export const MinesweeperPage = () => <MiniGamePage parts={parts} />;
