import { assert } from '@reelbook/ledger/assert';
import { assertChoices } from './choice.ts';
import type { Game } from './game.ts';
import { minesweeper } from './minesweeper/rules.ts';
import { slotMachine } from './slot-machine/rules.ts';
import { snake } from './snake/rules.ts';
import { tetris } from './tetris/rules.ts';

/** Every game that can be played. A new game is one line here and one in faces.tsx. */
export const games: readonly Game[] = distinctGames([slotMachine, tetris, snake, minesweeper]);

export function findGame(id: string, among: readonly Game[] = games): Game | null {
  return among.find((game) => game.id === id) ?? null;
}

/**
 * Returns the games. Throws `Bug` if two have the same id, key or rules, as one would be settled by the rules of the other,
 * and for an invalid choice.
 */
export function distinctGames(list: readonly Game[]): readonly Game[] {
  const names = {
    id: list.map(({ id }) => id),
    key: list.map(({ apiKey }) => apiKey),
    rules: list.flatMap(({ rulesIds }) => rulesIds),
  };
  for (const [what, all] of Object.entries(names)) {
    const twice = all.find((name, i) => all.indexOf(name) !== i);
    assert(twice === undefined, `two games have the ${what} ${twice}`);
  }
  for (const game of list) assertChoices(game);
  return list;
}
