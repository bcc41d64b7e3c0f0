import { assert } from '@reelbook/ledger/assert';
import type { Choice } from '@reelbook/ledger/player/events';
import type { ChoiceField, ChoiceTerms, Game } from './game.ts';

/** Limit of choices of a game: the house's figures are stored by choice. */
const CHOICES_MAX = 1_000;

type Choosing = Pick<Game, 'id' | 'choice'>;

/** Why a bet on this game may not have this choice; null if it may. */
export function choiceProblem({ id, choice: terms }: Choosing, choice: unknown): string | null {
  if (!terms) return choice === undefined ? null : `${id} takes no choice`;
  if (typeof choice !== 'object' || choice === null || Array.isArray(choice)) {
    return `${id} takes a choice of ${Object.keys(terms.fields).join(', ')}`;
  }
  const unknown = Object.keys(choice).find((name) => !Object.hasOwn(terms.fields, name));
  if (unknown !== undefined) return `choice.${unknown} is not known`;
  for (const [name, field] of Object.entries(terms.fields)) {
    const value: unknown = Object.hasOwn(choice, name) ? Reflect.get(choice, name) : undefined;
    if (!isOf(field, value)) return `choice.${name} must be ${valuesText(field)}`;
  }
  return null;
}

function isOf(field: ChoiceField, value: unknown): boolean {
  if ('oneOf' in field) return field.oneOf.some((word) => word === value);
  // The ledger does not accept -0, which is an integer.
  if (!Number.isInteger(value) || Object.is(value, -0)) return false;
  return Number(value) >= field.min && Number(value) <= field.max;
}

const valuesText = (field: ChoiceField) =>
  'oneOf' in field
    ? `one of ${field.oneOf.join(', ')}`
    : `an integer from ${field.min} to ${field.max}`;

/** A checked choice with its fields in the order of the game, so that equal choices have equal texts. */
export function inOrder({ choice: terms }: Choosing, choice: Choice | undefined) {
  if (!terms || !choice) return undefined;
  const names = Object.keys(terms.fields);
  return Object.fromEntries(names.map((name) => [name, choice[name] ?? ''])) as Choice;
}

const countChoices = ({ fields }: ChoiceTerms): number =>
  Object.values(fields).reduce(
    (count, field) => count * ('oneOf' in field ? field.oneOf.length : 1 + field.max - field.min),
    1,
  );

/** All choices of a game, in order; for a game without a choice only `undefined`. */
export function choicesOf({ choice: terms }: Choosing): readonly (Choice | undefined)[] {
  if (!terms) return [undefined];
  return Object.entries(terms.fields).reduce<readonly Choice[]>(
    (all, [name, field]) =>
      all.flatMap((one) => valuesOf(field).map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

function valuesOf(field: ChoiceField): readonly (number | string)[] {
  if ('oneOf' in field) return field.oneOf;
  return Array.from({ length: field.max - field.min + 1 }, (_, i) => field.min + i);
}

/** Short plain text, as the ledger accepts it; a name that ends in `Minor` is an amount there. */
const FIELD_NAME = /^(?!.*Minor$)[a-z][A-Za-z0-9]{0,31}$/;
const WORD = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** Throws `Bug` unless every choice is valid for a bet and for the ledger, and no choice occurs twice. */
export function assertChoices(game: Game): void {
  if (!game.choice) return;
  assert(game.timed === null, `${game.id} is timed, so it has no choice`);
  assert(choiceProblem(game, game.choice.initial) === null, `${game.id} has a valid first choice`);
  const count = countChoices(game.choice);
  assert(count <= CHOICES_MAX, `${game.id} has at most ${CHOICES_MAX} choices, not ${count}`);
  const texts = choicesOf(game).map((choice = {}) => {
    const problem = choiceProblem(game, choice);
    assert(problem === null, `${game.id} lists a choice that is refused: ${problem}`);
    for (const [name, value] of Object.entries(choice)) {
      assert(FIELD_NAME.test(name), `${game.id} may not name a field of its choice ${name}`);
      const isTaken = typeof value === 'number' || WORD.test(value);
      assert(isTaken, `${game.id} may not have the word ${value} in its choice`);
    }
    return JSON.stringify(choice);
  });
  assert(new Set(texts).size === texts.length, `${game.id} has the same choice twice`);
}
