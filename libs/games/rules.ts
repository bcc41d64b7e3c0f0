import { assert } from '@reelbook/ledger/assert';
import { CHOICES_MAX, choiceProblem, choicesOf, countChoices } from './choice.ts';
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
 * other; and for a choice that a bet could not have, or the ledger not take.
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
    assertChoices(game);
  }
  return list;
}

/** Short plain text, which the ledger takes; a name that ends in `Minor` is an amount there. */
const FIELD_NAME = /^(?!.*Minor$)[a-z][A-Za-z0-9]{0,31}$/;
const WORD = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** Every choice is one that a bet may have and that the ledger takes, and none is there twice. */
function assertChoices(game: Game): void {
  const texts = choicesOf(game).map((choice = {}) => {
    const problem = choiceProblem(game, choice);
    assert(problem === null, `${game.id} lists a choice that is refused: ${problem}`);
    for (const [name, value] of Object.entries(choice)) {
      assert(FIELD_NAME.test(name), `${game.id} may not call a field of its choice ${name}`);
      const isTaken = typeof value === 'number' || WORD.test(value);
      assert(isTaken, `${game.id} may not have the word ${value} in its choice`);
    }
    return JSON.stringify(choice);
  });
  assert(new Set(texts).size === texts.length, `${game.id} has the same choice twice`);
}
