import { games } from '@reelbook/games/rules';
import {
  HONEST,
  READERS,
  randomFrom,
  simulateHonest,
  simulateReader,
} from '@reelbook/testing/luck-simulation';
import { DEFAULT_SEED } from '@reelbook/testing/seeds';
import { describe, expect, it, test } from 'vitest';
import { Chances, Luck } from './luck.ts';

const rules = games.flatMap((game) => game.rulesIds.map((id) => ({ id, odds: game.odds(id) })));
/** The results of a round: chance and multiple, including the row that pays nothing. */
const outcomesOf = ({ rows }: Chances) => {
  const paying = rows.reduce((sum, [chance]) => sum + chance, 0);
  return [...rows, [1 - paying, 0] as const];
};

describe('the e-value of a player', () => {
  it.each(rules)(
    'has the expectation 1 under $id, even when stakes depend on results',
    ({ odds }) => {
      const at = (bet: number) => new Chances(odds, BigInt(bet) * 100n);
      // The second stake depends on the first result, the third on both.
      const second = (won: number) => (won > 2 ? 1_000 : won > 0 ? 3 : 40);
      const third = (won: number, again: number) => (again > won ? 900 : 7);
      let expected = 0;
      for (const [p, a] of outcomesOf(at(5))) {
        for (const [q, b] of outcomesOf(at(second(a)))) {
          for (const [r, c] of outcomesOf(at(third(a, b)))) {
            const luck = new Luck();
            luck.settle(luck.stake(5, at(5)), a);
            luck.settle(luck.stake(second(a), at(second(a))), b);
            luck.settle(luck.stake(third(a, b), at(third(a, b))), c);
            expected += p * q * r * Math.exp(luck.log());
          }
        }
      }
      expect(expected).toBeCloseTo(1, 9);
    },
  );

  it('ignores a voided round', () => {
    const [{ odds } = { odds: games[0]?.odds('slot-1') as never }] = rules;
    const chances = new Chances(odds, 1_000n);
    const [voided, never] = [new Luck(), new Luck()];
    for (const luck of [voided, never]) luck.settle(luck.stake(10, chances), 1.5);
    voided.void(voided.stake(10, chances));
    expect(voided.log()).toBeCloseTo(never.log(), 12);
  });

  it('is never larger during an open round than after its loss', () => {
    const chances = new Chances(games[1]?.odds('tetris-1') as never, 1_000n);
    const [open, lost] = [new Luck(), new Luck()];
    open.stake(10, chances);
    lost.settle(lost.stake(10, chances), 0);
    expect(open.log()).toBe(lost.log());
  });
});

test('honest players are as lucky as chance allows, with every staking strategy', () => {
  const random = randomFrom(DEFAULT_SEED);
  const players = 1_000 * HONEST.length;
  const { reached, named } = simulateHonest({ players, roundsEach: 60, random });
  reached.forEach((count, tens) => {
    expect(count, `10^${tens + 1}`).toBeLessThanOrEqual(players / 10 ** (tens + 1));
  });
  // Otherwise the test would prove nothing.
  expect(reached[0]).toBeGreaterThan(players / 1_000);
  expect(named).toBe(0);
});

test.each([
  ['1 on losses, 1,000 on wins', 150],
  ['the same, and 1,000 on a fifth of the losses', 400],
  ['knows every other round, else 1,000', 2_000],
  ['10 on losses, 20 on wins', 1_500],
  ['1,000 on wins of 12 or more, else 1', 6_000],
] as const)('names a reader of seeds: %s', (name, roundsMax) => {
  const random = randomFrom(DEFAULT_SEED);
  for (let i = 0; i < 100; i++) {
    const read = simulateReader(READERS[name], { players: 1_000_000, random, roundsMax });
    expect(read?.rounds).toBeLessThanOrEqual(roundsMax);
  }
});
