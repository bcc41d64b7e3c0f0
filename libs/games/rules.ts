import type { Game } from './game.ts';
import { minesweeper } from './minesweeper/rules.ts';
import { slotMachine } from './slot-machine/rules.ts';
import { snake } from './snake/rules.ts';
import { tetris } from './tetris/rules.ts';

/**
 * Every game that can be played. A new game is one line here and, for its picture, one in
 * views.tsx.
 */
export const games: readonly Game[] = [slotMachine, tetris, snake, minesweeper];

export function findGame(id: string, among: readonly Game[] = games): Game | null {
  return among.find((game) => game.id === id) ?? null;
}
