import { existsSync, readFileSync } from 'node:fs';
import { choiceProblem, choicesOf } from '@reelbook/games/choice';
import { faces, findFace, pathOf } from '@reelbook/games/faces';
import { createDraws } from '@reelbook/games/fairness/draw';
import { fraction, fractionText, plus, times } from '@reelbook/games/fraction';
import { type Odds, paidMinor } from '@reelbook/games/game';
import { games } from '@reelbook/games/rules';
import { views } from '@reelbook/games/views';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { dice } from '@reelbook/testing/dice';
import { VECTORS_FILE } from '@reelbook/testing/vectors';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { aliases, paths } from '../lib/paths.ts';
import { OWN_PAGES } from './game-page.ts';

/** Requirements of every game: a new game that lacks a part fails here by name. */

const SEEDS = { serverSeed: '5a'.repeat(32), clientSeed: 'every game' };
const vectors = JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as {
  rules: { game: string; rules: string }[];
  rounds: { game: string; rules: string; choice?: object }[];
};

const versions = [...games, dice].flatMap((game) =>
  game.rulesIds.flatMap((rules) =>
    choicesOf(game).map((choice) => ({
      game,
      rules,
      choice,
      odds: game.odds(rules, choice),
      name: `${rules} ${choice ? JSON.stringify(choice) : ''}`,
    })),
  ),
);

/** Of every choice: the name of a failed one is in the message. */
describe('the odds of every game', () => {
  const one = fraction(1n, 1n);
  const sum = ({ paytable }: Odds, value: (row: Odds['paytable'][number]) => typeof one) =>
    paytable.reduce((all, row) => plus(all, times(row.chance, value(row))), fraction(0n, 1n));
  const hundredths = (multiple: number) => Math.round(multiple * 100);

  test('sum to the published return and hit rate, in hundredths of the stake', () => {
    for (const { odds, name } of versions) {
      for (const { multiple } of odds.paytable) {
        expect(multiple, name).toBeGreaterThan(0);
        expect(multiple * 100, name).toBeCloseTo(hundredths(multiple), 6);
      }
      expect(fractionText(sum(odds, () => one)), name).toBe(fractionText(odds.hitRate));
      const mean = sum(odds, ({ multiple }) => fraction(BigInt(hundredths(multiple)), 100n));
      expect(fractionText(mean), name).toBe(fractionText(odds.expectedReturn));
      const { numerator, denominator } = plus(odds.hitRate, fraction(-1n, 1n));
      expect(numerator <= 0n && denominator > 0n, name).toBe(true);
    }
  });

  test('have the rules and the maximum stake of every choice', () => {
    for (const { game, rules, odds, name } of versions) {
      const { rulesText, rulesHash, maxWinMinor } = game.odds(rules);
      expect(odds, name).toMatchObject({ rules, rulesText, rulesHash, maxWinMinor });
    }
  });

  test('have a row for every payout of a round', () => {
    for (const { game, rules, choice, odds, name } of versions) {
      for (const stakeMinor of [game.defaults.minStakeMinor, game.defaults.maxStakeMinor]) {
        const pays = new Set(odds.paytable.map((row) => paidMinor(row, { ...odds, stakeMinor })));
        for (let nonce = 0; nonce < 20; nonce++) {
          const draws = createDraws({ ...SEEDS, nonce });
          const { payoutMinor } = game.draw({ rules, choice, stakeMinor, lines: 1, draws });
          const isListed = payoutMinor === 0n || pays.has(payoutMinor);
          expect(isListed, `${name}: ${payoutMinor}`).toBe(true);
        }
      }
    }
  });
});

describe.each(games)('$id', (game) => {
  const face = findFace(game.id);
  const drawn = (nonce: number) => {
    const choices = choicesOf(game);
    const choice = choices[nonce % choices.length];
    const draws = createDraws({ ...SEEDS, nonce });
    const stakeMinor = game.defaults.minStakeMinor;
    const [rules = ''] = game.rulesIds;
    return { choice, ...game.draw({ rules, choice, stakeMinor, lines: 1, draws }) };
  };

  test('is configured with its own rules, and its key is its id', () => {
    expect(game.rulesIds).toContain(game.defaults.rules);
    expect(game.apiKey).toBe(game.id.replaceAll('-', '_'));
    expect(game.choice && choiceProblem(game, game.choice.initial)).toBeNull();
  });

  test('has vectors for all of its rules, with every kind of choice', () => {
    for (const rules of game.rulesIds) {
      expect(vectors.rules).toContainEqual(expect.objectContaining({ game: game.id, rules }));
      const own = vectors.rounds.filter((round) => round.game === game.id && round.rules === rules);
      expect(own.length).toBeGreaterThan(0);
      for (const { choice } of own) expect(choiceProblem(game, choice)).toBeNull();
    }
  });

  test('has a face: its own path, and texts in both languages', () => {
    expect(face).toMatchObject({ id: game.id, simulated: game.timed !== null });
    const others = [...Object.values(paths), ...Object.keys(aliases)];
    if (game.id !== 'slot-machine') expect(others).not.toContain(pathOf(game));
    const [en, zh] = [face?.texts.en, face?.texts.zh] as object[];
    expect(keysOf(zh)).toEqual(keysOf(en));
    const named = Object.keys(game.choice?.fields ?? {});
    expect(Object.keys(face?.texts.en.figures ?? {})).toEqual(expect.arrayContaining(named));
  });

  test('has a card in the hall', async () => {
    if (!face?.card) return expect(face?.shelf).toBe('slots');
    expect(renderToStaticMarkup(createElement(await face.card()))).toMatch(/<(path|rect|circle)/);
  });

  test('has a page, which draws a round of it and the empty field', async () => {
    if (!face?.page) return expect(OWN_PAGES).toHaveProperty(game.id);
    const page = await face.page();
    expect(page.kind).toBe(game.timed ? 'lasting' : 'bet');
    const { outcome, choice } = drawn(3);
    const label = 'the field';
    if (page.kind === 'bet') {
      for (const shown of [null, outcome]) {
        const markup = renderToStaticMarkup(page.draw({ choice, outcome: shown, label }));
        expect(markup).toContain(label);
      }
      return;
    }
    const ticks = page.simulate(String(outcome.roundSeed), String(outcome.rules));
    const end = ticks.at(-1) ?? null;
    for (const tick of [null, end]) {
      const view = { tick, next: ticks[0] ?? null, ending: null, label };
      expect(renderToStaticMarkup(page.draw(view))).toContain(label);
      const keys = page.figures(tick).map(([key]) => key);
      expect(Object.keys(face.texts.zh.figures ?? {})).toEqual(expect.arrayContaining(keys));
    }
    expect(end && page.report(end)).toEqual(game.timed?.reportOf(outcome));
  });

  test('shows and describes a played round, as in its proof', async () => {
    expect(views[game.id]).toBeDefined();
    const View = await face?.view();
    if (!View) throw new Error('a view');
    for (let nonce = 0; nonce < 5; nonce++) {
      const { outcome, choice } = drawn(nonce);
      expect(renderToStaticMarkup(createElement(View, { outcome, choice }))).toMatch(/<svg/);
      expect(game.describe(outcome)).not.toBe('');
    }
  });

  test('has a README', () => {
    expect(existsSync(`${REPOSITORY}libs/games/${game.id}/README.md`)).toBe(true);
  });
});

test('faces are those of the games, in the same order, with unique paths', () => {
  expect(faces.map(({ id }) => id)).toEqual(games.map(({ id }) => id));
  expect(new Set(faces.map(pathOf)).size).toBe(faces.length);
});

/** Expects `figures.score` and the like as non-empty texts with the numbers inserted. */
function keysOf(texts: object | undefined, path = ''): string[] {
  return Object.entries(texts ?? {}).flatMap(([key, text]) => {
    if (typeof text !== 'string') return keysOf(text as object, `${path}${key}.`);
    expect(text.trim()).not.toBe('');
    return [`${path}${key}${text.includes('{{n}}') ? ' {{n}}' : ''}`];
  });
}
