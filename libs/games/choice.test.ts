import { dice } from '@reelbook/testing/dice';
import { describe, expect, test } from 'vitest';
import { choiceProblem, choicesOf, inOrder } from './choice.ts';
import type { Game } from './game.ts';
import { distinctGames, games } from './rules.ts';

const [slot, tetris] = games as [Game, Game];
const wheel = {
  id: 'wheel',
  choice: {
    fields: { on: { oneOf: ['red', 'black'] }, of: { min: 1, max: 3 } },
    initial: { on: 'red', of: 1 },
  },
};
const pocket = { id: 'pocket', choice: { fields: { n: { min: 0, max: 36 } }, initial: { n: 0 } } };

describe('a bet', () => {
  test('may have each choice of its game, and only those', () => {
    expect(choicesOf(dice)).toHaveLength(97);
    for (const choice of choicesOf(dice)) expect(choiceProblem(dice, choice)).toBeNull();
    expect(choicesOf(wheel)).toHaveLength(6);
    for (const choice of choicesOf(wheel)) expect(choiceProblem(wheel, choice)).toBeNull();
    expect(choicesOf(slot)).toEqual([undefined]);
    expect(choiceProblem(slot, undefined)).toBeNull();
  });

  test.each([
    [dice, undefined, 'test-dice takes a choice of over'],
    [dice, null, 'test-dice takes a choice of over'],
    [dice, [50], 'test-dice takes a choice of over'],
    [dice, {}, 'choice.over must be an integer from 2 to 98'],
    [dice, { over: 1 }, 'choice.over must be an integer from 2 to 98'],
    [dice, { over: 99 }, 'choice.over must be an integer from 2 to 98'],
    [dice, { over: 50.5 }, 'choice.over must be an integer from 2 to 98'],
    [dice, { over: '50' }, 'choice.over must be an integer from 2 to 98'],
    [dice, { over: 50, under: 3 }, 'choice.under is not known'],
    [dice, { over: 50, constructor: 3 }, 'choice.constructor is not known'],
    [pocket, { n: -0 }, 'choice.n must be an integer from 0 to 36'],
    [pocket, { n: 1e308 }, 'choice.n must be an integer from 0 to 36'],
    [dice, { over: '５０' }, 'choice.over must be an integer from 2 to 98'],
    [dice, JSON.parse('{"__proto__":50}'), 'choice.__proto__ is not known'],
    [wheel, { on: 'red\u0000', of: 1 }, 'choice.on must be one of red, black'],
    [wheel, { on: 'green', of: 1 }, 'choice.on must be one of red, black'],
    [wheel, { on: 'red' }, 'choice.of must be an integer from 1 to 3'],
    [slot, { over: 50 }, 'slot-machine takes no choice'],
    [slot, null, 'slot-machine takes no choice'],
  ] as const)('with an invalid one is refused with a message: %#', (game, choice, words) => {
    expect(choiceProblem(game, choice)).toBe(words);
  });

  test('has its choice in the order of the game, in any order of the request', () => {
    expect(JSON.stringify(inOrder(wheel, { of: 2, on: 'black' }))).toBe('{"on":"black","of":2}');
    expect(inOrder(slot, undefined)).toBeUndefined();
  });
});

describe('games are refused', () => {
  test.each([
    ['with the id of another', { ...dice, id: slot.id }, 'the id slot-machine'],
    ['with the key of another', { ...dice, apiKey: slot.apiKey }, 'the key slot_machine'],
    ['with the rules of another', { ...dice, rulesIds: slot.rulesIds }, 'the rules slot-1'],
    ['that occur twice', slot, 'the id slot-machine'],
  ])('%s', (_what, game, words) => {
    expect(() => distinctGames([...games, game])).toThrow(words);
  });

  test.each([
    ['has an invalid first choice', { ...dice.choice, initial: { over: 1 } }, 'first choice'],
    [
      'has too many choices',
      { fields: { n: { min: 1, max: 1_001 } }, initial: { n: 1 } },
      'not 1001',
    ],
    [
      'has a choice that is invalid for a bet',
      { fields: { n: { min: 0.5, max: 3.5 } }, initial: { n: 1 } },
      'choice.n must be an integer',
    ],
    [
      'has the same choice twice',
      { fields: { on: { oneOf: ['red', 'red'] } }, initial: { on: 'red' } },
      'twice',
    ],
    [
      'has a word that the ledger does not accept',
      { fields: { on: { oneOf: ['red', 'bl\u0007ack'] } }, initial: { on: 'red' } },
      'may not have the word',
    ],
    [
      'names a field as the ledger names amounts',
      { fields: { onMinor: { oneOf: ['red'] } }, initial: { onMinor: 'red' } },
      'may not name a field of its choice onMinor',
    ],
  ])('where one %s', (_what, choice, words) => {
    const game = { ...dice, choice } as Game;
    expect(() => distinctGames([game])).toThrow(words);
  });

  test('where a timed game has a choice', () => {
    const both = { ...tetris, choice: dice.choice };
    expect(() => distinctGames([both])).toThrow('has no choice');
  });
});
