import { numberOf } from '@reelbook/games/fraction';
import { games } from '@reelbook/games/rules';
import { expect, test } from 'vitest';
import { momentsOf, returnsOf } from './returns.ts';

const rules = games.flatMap((game) => game.rulesIds.map((id) => [game.id, id, game] as const));

test.each(rules)(
  '%s %s: mean and variance by the paytable equal those of its odds',
  (_id, id, game) => {
    const odds = game.odds(id);
    const stake = game.defaults.minStakeMinor;
    const { mean, variance } = momentsOf(odds, stake);
    expect(mean / Number(stake)).toBeCloseTo(numberOf(odds.expectedReturn), 9);
    expect(variance / Number(stake) ** 2).toBeCloseTo(numberOf(odds.variance), 6);
  },
);

test('a cap lowers mean and variance of the stakes that it touches', () => {
  const odds = games.find(({ id }) => id === 'slot-machine')?.odds('slot-1');
  if (!odds) throw new Error('the slot machine has rules');
  const small = momentsOf(odds, 100n);
  const capped = momentsOf(odds, 100_000n);
  expect(capped.mean / 100_000).toBeCloseTo(0.941, 9);
  expect(capped.variance / 100_000 ** 2).toBeLessThan(small.variance / 100 ** 2);
});

test('a return inside its band and one far outside', () => {
  const of = (paidMinor: bigint) => {
    const stakes = { game: 'slot-machine', rules: 'slot-1', stakeMinor: 100n, voided: 0 };
    return returnsOf([{ ...stakes, rounds: 10_000, paidMinor }])[0];
  };
  expect(of(960_000n)).toMatchObject({ actual: 0.96, theoretical: 0.96, inside: true, sigmas: 0 });
  expect(of(1_200_000n)).toMatchObject({ inside: false });
  expect(of(0n)?.sigmas).toBeLessThan(-50);
});

test('unknown rules are counted, and have no band', () => {
  const stakes = { game: 'unknown', rules: 'unknown-1', stakeMinor: 100n, rounds: 2, voided: 1 };
  const [row] = returnsOf([{ ...stakes, paidMinor: 50n }]);
  expect(row).toMatchObject({ title: 'unknown', actual: 0.25, theoretical: null, inside: null });
});
