import { numberOf } from '@reelbook/games/fraction';
import { games } from '@reelbook/games/rules';
import { createRandom, type Random } from '@reelbook/testing/random';
import { DEFAULT_SEED } from '@reelbook/testing/seeds';
import { describe, expect, it, test } from 'vitest';
import { Luck, namedFrom } from './luck-pass.ts';

const BET_MAX = 1_000;
const PLAYERS = 1_000_000;

/** The rows of the slot machine that pay: chance, and payout over stake at small stakes. */
const rows = (games.find(({ rulesIds }) => rulesIds.includes('slot-1')) ?? games[0])
  ?.odds('slot-1')
  .paytable.map(({ chance, multiple }) => [numberOf(chance), multiple] as const) as [
  number,
  number,
][];
const MEAN = rows.reduce((sum, [chance, multiple]) => sum + chance * multiple, 0);

/** What is staked; `multiple`: what the round will pay, which only readers of seeds know. */
type Staking = (o: { multiple: number; random: Random; bet: number; won: boolean }) => number;

const HONEST: readonly Staking[] = [
  () => 10,
  ({ random }) => 1 + Math.floor(random() * BET_MAX),
  // Doubles after a loss, and the other way about.
  ({ bet, won }) => (won ? 1 : Math.min(BET_MAX, 2 * bet)),
  ({ bet, won }) => (won ? Math.min(BET_MAX, 2 * bet) : 1),
  ({ random }) => (random() < 0.05 ? BET_MAX : 1),
];

/** Plays until named or for so many rounds. @returns the rounds. */
function play(luck: Luck, staking: Staking, random: Random, roundsMax: number): number {
  const last = { bet: 1, won: true };
  for (let n = 0; n < roundsMax; n++) {
    let left = random();
    const row = rows.find(([chance]) => {
      left -= chance;
      return left < 0;
    });
    const [, multiple] = row ?? [0, 0];
    last.bet = staking({ ...last, multiple, random });
    last.won = multiple > 0;
    luck.settle(luck.stake(last.bet, MEAN), multiple);
    if (luck.most >= namedFrom(PLAYERS)) return n + 1;
  }
  return roundsMax;
}

describe('the value of a player', () => {
  it('has the expectation 1, also when stakes depend on results', () => {
    const paying = rows.reduce((sum, [chance]) => sum + chance, 0);
    const outcomes = [...rows, [1 - paying, 0] as const];
    let expected = 0;
    for (const [p, first] of outcomes) {
      for (const [q, second] of outcomes) {
        for (const [r, third] of outcomes) {
          const luck = new Luck();
          luck.settle(luck.stake(5, MEAN), first);
          luck.settle(luck.stake(first > 2 ? 1_000 : 3, MEAN), second);
          luck.settle(luck.stake(second > first ? 7 : 900, MEAN), third);
          expected += p * q * r * Math.exp(luck.value());
        }
      }
    }
    expect(expected).toBeCloseTo(1, 9);
  });

  it('ignores a voided round', () => {
    const [voided, never] = [new Luck(), new Luck()];
    for (const luck of [voided, never]) luck.settle(luck.stake(10, MEAN), 1.5);
    voided.void(voided.stake(10, MEAN));
    expect(voided.value()).toBeCloseTo(never.value(), 12);
  });

  it('is never larger during an open round than after its loss', () => {
    const [open, lost] = [new Luck(), new Luck()];
    open.stake(10, MEAN);
    lost.settle(lost.stake(10, MEAN), 0);
    expect(open.value()).toBe(lost.value());
  });
});

test('honest players are as lucky as chance allows, with every staking strategy', () => {
  const random = createRandom(DEFAULT_SEED);
  const players = 5_000;
  const lucks = Array.from({ length: players }, (_, index) => {
    const luck = new Luck();
    play(luck, HONEST[index % HONEST.length] as Staking, random, 60);
    return luck;
  });
  for (let tens = 1; tens <= 6; tens++) {
    const reached = lucks.filter(({ most }) => most >= Math.LN10 * tens).length;
    expect(reached, `10^${tens}`).toBeLessThanOrEqual(players / 10 ** tens);
  }
  // Otherwise the test would prove nothing.
  expect(lucks.filter(({ most }) => most >= Math.LN10).length).toBeGreaterThan(players / 1_000);
});

const READERS: readonly (readonly [string, number, Staking])[] = [
  ['1 on losses, 1,000 on wins', 400, ({ multiple }) => (multiple > 0 ? BET_MAX : 1)],
  [
    'the same, and 1,000 on a fifth of the losses',
    800,
    ({ multiple, random }) => (multiple > 0 || random() < 0.2 ? BET_MAX : 1),
  ],
  [
    'knows every other round, else 1,000',
    3_500,
    ({ multiple, random }) => (random() < 0.5 || multiple > 0 ? BET_MAX : 1),
  ],
  ['10 on losses, 20 on wins', 2_500, ({ multiple }) => (multiple > 0 ? 20 : 10)],
  ['1,000 on wins of 12 or more, else 1', 12_000, ({ multiple }) => (multiple >= 12 ? BET_MAX : 1)],
];

test.each(READERS)('names a reader of seeds: %s', (_, roundsMax, staking) => {
  const random = createRandom(DEFAULT_SEED);
  for (let i = 0; i < 100; i++) {
    expect(play(new Luck(), staking, random, roundsMax)).toBeLessThan(roundsMax);
  }
});

test.each([1_000, 20_000])('names a reader who had played %i rounds by chance', (before) => {
  const random = createRandom(DEFAULT_SEED);
  for (let i = 0; i < 20; i++) {
    const luck = new Luck();
    expect(play(luck, () => BET_MAX, random, before)).toBe(before);
    const [, , staking] = READERS[0] as (typeof READERS)[number];
    expect(play(luck, staking, random, 1_000)).toBeLessThan(1_000);
  }
});
