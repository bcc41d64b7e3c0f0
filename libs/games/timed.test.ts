import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDraws, type Draws, type RoundSeeds, roundSeedOf } from './fairness/draw.ts';
import { fraction, fractionText } from './fraction.ts';
import type { Game } from './game.ts';
import { games } from './rules.ts';
import { isLast, payoutMinor, readTimed, TICKS_MAX, timedRules } from './timed.ts';

const FEE_MINOR = 1_000n;
const timed = games.filter((game) => game.timed !== null);

const seeds = fc.record({
  serverSeed: fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('hex')),
  clientSeed: fc.stringMatching(/^[\x21-\x39\x3b-\x7e]{1,64}$/),
  nonce: fc.nat(),
});

const rules = timedRules({
  id: 'test-1',
  endPercent: 2,
  counts: 'ticks',
  bands: [
    [3, 12],
    [7, 50],
  ],
  draws: [],
});

function drawsOf(...results: readonly number[]): Draws & { taken: number } {
  const draws = {
    taken: 0,
    below: (n: number) => {
      expect(n).toBe(100);
      return results[draws.taken++] ?? -1;
    },
  };
  return draws;
}

test('a tick is the last one by its chance, and after 600 ticks without any', () => {
  expect(isLast(rules, 1, drawsOf(2))).toBe(false);
  expect(isLast(rules, 1, drawsOf(1))).toBe(true);
  const none = drawsOf();
  expect(isLast(rules, TICKS_MAX, none)).toBe(true);
  expect(none.taken).toBe(0);
});

test('a band pays its tenths of the fee, nothing below the first, and at most the cap', () => {
  const pays = (count: number, stakeMinor: bigint) => payoutMinor(rules, count, stakeMinor);
  expect([0, 2, 3, 6, 7, 600].map((count) => pays(count, FEE_MINOR))).toEqual([
    0n,
    0n,
    1_200n,
    1_200n,
    5_000n,
    5_000n,
  ]);
  expect(pays(3, 100n)).toBe(120n);
  expect(pays(7, 200_100n)).toBe(1_000_000n);
});

test('bands that do not ascend, or that pay no more than the fee, are refused', () => {
  const make = (...bands: [number, number][]) =>
    timedRules({ id: 'x', endPercent: 2, counts: 'ticks', bands, draws: [] });
  expect(() => make([3, 12], [3, 13])).toThrow('ascend');
  expect(() => make([3, 12], [4, 12])).toThrow('ascend');
  expect(() => make([3, 10])).toThrow('pays more than the fee');
});

describe.each(timed)('$id', (game: Game) => {
  const id = game.rulesIds[0] ?? '';
  const { odds, timed } = { odds: game.odds(id), timed: game.timed };
  const play = (round: RoundSeeds) =>
    game.draw({ rules: id, stakeMinor: FEE_MINOR, lines: 1, draws: createDraws(round) });

  test('returns 95 % within half a percent, and pays more than the fee or nothing', () => {
    const { numerator, denominator } = odds.expectedReturn;
    expect(numerator * 1000n >= 945n * denominator).toBe(true);
    expect(numerator * 1000n <= 955n * denominator).toBe(true);
    expect(odds.paytable.every(({ multiple }) => multiple > 1)).toBe(true);
  });

  test('its rows are complete: return, hit rate and variance follow from them', () => {
    const sum = (value: (multiple: bigint) => bigint) =>
      odds.paytable.reduce(
        (total, { chance, multiple }) => {
          const worth = value(BigInt(Math.round(multiple * 10)));
          const numerator =
            total.numerator * chance.denominator + chance.numerator * worth * total.denominator;
          return fraction(numerator, total.denominator * chance.denominator);
        },
        fraction(0n, 1n),
      );
    const [all, tenths, squares] = [sum(() => 1n), sum((x) => x), sum((x) => x * x)];
    expect(fractionText(all)).toBe(fractionText(odds.hitRate));
    const mean = fraction(tenths.numerator, 10n * tenths.denominator);
    expect(fractionText(mean)).toBe(fractionText(odds.expectedReturn));
    const variance = fraction(
      squares.numerator * mean.denominator ** 2n -
        100n * squares.denominator * mean.numerator ** 2n,
      100n * squares.denominator * mean.denominator ** 2n,
    );
    expect(fractionText(odds.variance)).toBe(fractionText(variance));
  });

  test('is drawn from the seed of its round alone, with the same result each time', () => {
    fc.assert(
      fc.property(seeds, (round) => {
        const drawn = play(round);
        expect(play(round)).toEqual(drawn);
        expect(readTimed(drawn.outcome).roundSeed).toBe(roundSeedOf(round));
        expect(timed?.ticksOf(drawn.outcome)).toBeLessThanOrEqual(TICKS_MAX);
      }),
      { numRuns: 50 },
    );
  });

  test('a page reports its fields, of their types', () => {
    fc.assert(
      fc.property(seeds, (round) => {
        const { outcome } = play(round);
        const report = timed?.reportOf(outcome) ?? {};
        const kinds = Object.entries(report).map(([name, value]) => [
          name,
          typeof value === 'boolean' ? 'boolean' : 'integer',
        ]);
        expect(Object.fromEntries(kinds)).toEqual(timed?.fields);
        expect(report.game_time).toBe(timed?.ticksOf(outcome));
      }),
      { numRuns: 20 },
    );
  });

  test('the payouts of some hundred rounds are near the published odds', () => {
    const rounds = 400;
    let paidMinor = 0n;
    for (let nonce = 0; nonce < rounds; nonce++) {
      paidMinor += play({ serverSeed: '11'.repeat(32), clientSeed: 'many', nonce }).payoutMinor;
    }
    const number = (part: { numerator: bigint; denominator: bigint }) =>
      Number((part.numerator * 10n ** 12n) / part.denominator) / 1e12;
    const observed = Number(paidMinor) / Number(FEE_MINOR) / rounds;
    const deviation = Math.sqrt(number(odds.variance) / rounds);
    expect(Math.abs(observed - number(odds.expectedReturn))).toBeLessThan(3.3 * deviation);
  });

  test('refuses an outcome of another game', () => {
    const { outcome } = play({ serverSeed: '22'.repeat(32), clientSeed: 'one', nonce: 0 });
    for (const key of Object.keys(outcome)) {
      const { [key]: _, ...less } = outcome;
      expect(() => timed?.reportOf(less)).toThrow();
    }
    expect(() => timed?.ticksOf({ ...outcome, ticks: 601 })).toThrow();
  });
});
