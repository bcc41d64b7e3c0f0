import type { Game } from './game.ts';
import { slotMachine } from './slot-machine/rules.ts';

/**
 * Every game that can be played. A new game is one line here and, for its picture, one in
 * views.tsx.
 */
export const games: readonly Game[] = [slotMachine];

export function findGame(id: string): Game | null {
  return games.find((game) => game.id === id) ?? null;
}
