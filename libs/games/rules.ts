import { assert } from '@reelbook/ledger/assert';
import { CHOICES_MAX, choiceProblem, countChoices } from './choice.ts';
import type { Game } from './game.ts';
import { minesweeper } from './minesweeper/rules.ts';
import { slotMachine } from './slot-machine/rules.ts';
import { snake } from './snake/rules.ts';
import { tetris } from './tetris/rules.ts';

/** Every game that can be played. A new game is one line here and one in faces.ts. */
export const games: readonly Game[] = distinctGames([slotMachine, tetris, snake, minesweeper]);

export function findGame(id: string, among: readonly Game[] = games): Game | null {
  return among.find((game) => game.id === id) ?? null;
}

/**
 * The same games. Throws `Bug` where two have the same id, key or rules, for then one would be settled by the rules of the
 * other; and for a choice that a bet could not have.
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
  for (const game of list) {
    if (!game.choice) continue;
    assert(game.timed === null, `${game.id} lasts, so it takes no choice`);
    assert(choiceProblem(game, game.choice.initial) === null, `${game.id} begins with a choice`);
    const count = countChoices(game.choice);
    assert(count <= CHOICES_MAX, `${game.id} has at most ${CHOICES_MAX} choices, not ${count}`);
  }
  return list;
}
