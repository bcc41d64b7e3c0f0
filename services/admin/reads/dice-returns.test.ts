import { LuckPass } from '@reelbook/audit/luck-pass';
import { choicesOf } from '@reelbook/games/choice';
import { createDraws } from '@reelbook/games/fairness/draw';
import { numberOf } from '@reelbook/games/fraction';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import { dice } from '@reelbook/testing/dice';
import { testGame } from '@reelbook/testing/random-tests';
import { levelOfEach } from '@reelbook/testing/statistics';
import { expect, test } from 'vitest';
import { momentsOf, returnsOf } from './returns.ts';

const SERVER_SEED = '9f3ac41e'.repeat(8);
const ROUNDS = 400;
const [RULES = ''] = dice.rulesIds;

/** Honest rounds at one choice, by fixed seeds: what each paid. */
function play(choice: NonNullable<ReturnType<typeof choicesOf>[number]>, stakeMinor: bigint) {
  const clientSeed = `over ${choice.over}`;
  return Array.from({ length: ROUNDS }, (_, nonce) => {
    const draws = createDraws({ serverSeed: SERVER_SEED, clientSeed, nonce });
    return dice.draw({ rules: RULES, choice, stakeMinor, lines: 1, draws }).payoutMinor;
  });
}

const choices = choicesOf(dice).filter((choice) => choice !== undefined);
const stakes = choices.map((choice, i) => ({ choice, stakeMinor: BigInt(100 * (1 + (i % 7))) }));
const figures = stakes.map(({ choice, stakeMinor }) => ({
  game: 'test-dice',
  rules: RULES,
  choice,
  stakeMinor,
  rounds: ROUNDS,
  voided: 0,
  paidMinor: play(choice, stakeMinor).reduce((sum, paid) => sum + paid, 0n),
}));

test('honest dice are inside their band at every choice, and all choices together', () => {
  const outside = figures.filter((one) => {
    const [row] = returnsOf([one], [dice]);
    expect(row?.theoretical).toBeCloseTo(numberOf(dice.odds(RULES, one.choice).expectedReturn), 9);
    return row?.inside !== true;
  });
  // 97 looks at 99.9 % each; the seeds are fixed.
  expect(outside).toEqual([]);
  expect(returnsOf(figures, [dice])).toMatchObject([{ rounds: 97 * ROUNDS, inside: true }]);
});

test('dice that pay the odds of another choice are outside', () => {
  const at98 = figures.filter(({ choice }) => choice.over === 98);
  const bent = at98.map((one) => ({ ...one, choice: { over: 2 } }));
  expect(returnsOf(bent, [dice])[0]?.inside).toBe(false);
});

test('what was paid at a choice that the game does not have counts as too much', () => {
  const of = { game: 'test-dice', rules: RULES, stakeMinor: 1_000n, rounds: 100, voided: 0 };
  const choice = { over: 50 };
  const honest = { ...of, choice, paidMinor: 98_000n };
  const forged = { ...of, choice: { over: 1 }, paidMinor: 98_000n };
  expect(returnsOf([honest], [dice])[0]?.inside).toBe(true);
  expect(returnsOf([honest, forged], [dice])[0]?.inside).toBe(false);
});

test.each([2, 50, 98])('rows and return of the draws over %i are those of its odds', (over) => {
  const tests = testGame(
    dice,
    { rules: RULES, choice: { over }, rounds: 3_000 },
    { serverSeed: SERVER_SEED, clientSeed: 'rows' },
  );
  expect(tests.filter(({ p }) => p < levelOfEach(tests.length))).toEqual([]);
});

test('mean and variance of every choice are those of its odds, and the return is 98 to 99 %', () => {
  for (const choice of choices) {
    const odds = dice.odds(RULES, choice);
    const { mean, variance } = momentsOf(odds, 1_000n);
    expect(mean / 1_000).toBeCloseTo(numberOf(odds.expectedReturn), 9);
    expect(variance / 1_000 ** 2).toBeCloseTo(numberOf(odds.variance), 6);
    expect(numberOf(odds.expectedReturn)).toBeGreaterThan(0.98);
    expect(numberOf(odds.expectedReturn)).toBeLessThanOrEqual(0.99);
  }
});

test('a player who wins the longest odds now and then is not named, one who wins all of them is', () => {
  const eventsOf = (pays: (n: number) => boolean) =>
    Array.from({ length: 60 }, (_, n): PlayerEvent[] => {
      const of = { game: 'test-dice', round: `id-${n + 1}`, stakeMinor: 1_000n };
      const after = { pointsMinor: 0n, tokenMinor: 0n };
      const bet = { ...of, lines: 1, choice: { over: 98 }, rules: RULES, pair: 1, nonce: n, after };
      const ended = { ...of, outcome: { roll: pays(n) ? 99 : 1 }, after };
      return [
        { type: 'BetPlaced', data: bet },
        pays(n)
          ? { type: 'BetWon', data: { ...ended, payoutMinor: 49_500n } }
          : { type: 'BetLost', data: ended },
      ];
    }).flat();
  const namedAt = (pays: (n: number) => boolean) => {
    const pass = new LuckPass([dice]);
    for (const event of eventsOf(pays)) pass.next({ event, owner: 'ann' });
    return pass.report().count;
  };
  expect(namedAt((n) => n % 50 === 0)).toBe(0);
  expect(namedAt(() => true)).toBe(1);
});
