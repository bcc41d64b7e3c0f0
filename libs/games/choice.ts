import type { Choice } from '@reelbook/ledger/player/events';
import type { ChoiceField, ChoiceTerms, Game } from './game.ts';

/** So many choices a game may have at most: figures of the house are kept by choice. */
export const CHOICES_MAX = 1_000;

type Choosing = Pick<Game, 'id' | 'choice'>;

/** Why a bet on this game may not have this choice, in words; null where it may. */
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
  // The ledger takes no -0, which is an integer.
  if (!Number.isInteger(value) || Object.is(value, -0)) return false;
  return Number(value) >= field.min && Number(value) <= field.max;
}

const valuesText = (field: ChoiceField) =>
  'oneOf' in field
    ? `one of ${field.oneOf.join(', ')}`
    : `a whole number from ${field.min} to ${field.max}`;

/** A choice that was checked, with its fields in the order of the game: equal choices are equal texts. */
export function inOrder({ choice: terms }: Choosing, choice: Choice | undefined) {
  if (!terms || !choice) return undefined;
  const names = Object.keys(terms.fields);
  return Object.fromEntries(names.map((name) => [name, choice[name] ?? ''])) as Choice;
}

export const countChoices = ({ fields }: ChoiceTerms): number =>
  Object.values(fields).reduce(
    (count, field) => count * ('oneOf' in field ? field.oneOf.length : 1 + field.max - field.min),
    1,
  );

/** Every choice that a game has, in order; of a game without any, `undefined` alone. */
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
