import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDraws, type RoundDraws } from '../fairness/draw.ts';
import { type Fraction, fraction, fractionText, percent, plus } from '../fraction.ts';
import { type Reels, SLOT_RULES, type SlotRules, SYMBOL_IDS, WEIGHT_TOTAL } from './paytable.ts';
import {
  arrangements,
  evaluate,
  isCapped,
  readSlotOutcome,
  slotMachine,
  winningReels,
} from './rules.ts';

const BETS = Array.from({ length: 1_000 }, (_, i) => i + 1);
const CAP_MINOR = 1_000_000n;

/**
 * Every pair of results of the two draws, with its share of WEIGHT_TOTAL x arrangements.
 */
function* everyRound(rules: SlotRules) {
  let from = 0;
  for (const { row, weight } of rules.rows) {
    const shows = arrangements(row);
    for (let arrangement = 0; arrangement < shows.length; arrangement++) {
      yield { first: [from, from + weight - 1], arrangement, count: shows.length, row, weight };
    }
    from += weight;
  }
}

/** Draws with the given results, which assert the given bounds. */
function scripted(...script: readonly (readonly [below: number, result: number])[]): RoundDraws {
  let taken = 0;
  return {
    below(n) {
      const [below, result] = script[taken++] ?? [];
      expect(n).toBe(below);
      return result ?? -1;
    },
    roundSeed() {
      throw new Error('a spin is drawn, not simulated');
    },
  };
}

function play(rules: string, bet: number, ...script: readonly (readonly [number, number])[]) {
  const stakeMinor = BigInt(bet) * 100n;
  return slotMachine.draw({ rules, stakeMinor, lines: 25, draws: scripted(...script) });
}

/** The paytable of the specification, as it is written there. */
function paysPerHundred(symbols: Reels): bigint {
  const count = (symbol: number) => symbols.filter((shown) => shown === symbol).length;
  for (const [i, multiple] of [2500n, 1200n, 800n, 600n].entries()) {
    if (count(i + 1) === 3) return multiple;
  }
  for (const [i, multiple] of [400n, 300n, 200n, 150n].entries()) {
    if (count(i + 1) === 2) return multiple;
  }
  return 0n;
}

const same = (a: Fraction, b: Fraction) => fractionText(a) === fractionText(b);
const isBelow = (a: Fraction, b: Fraction) =>
  a.numerator * b.denominator < b.numerator * a.denominator;

describe.each(SLOT_RULES)('$id, every round that can be drawn', (rules) => {
  const rounds = [...everyRound(rules)];

  test('covers every arrangement of the reels once, each under its own row', () => {
    const looks = rounds.map(({ row, arrangement }) => arrangements(row)[arrangement]?.join(''));
    expect(looks).toHaveLength(64);
    expect(new Set(looks).size).toBe(64);
    expect(arrangements('no-win')).toHaveLength(24);
    expect(arrangements('two-coins')).toHaveLength(9);
    expect(arrangements('three-coins')).toEqual([[4, 4, 4]]);
  });

  test('shows the row that was drawn, at both ends of its weight', () => {
    for (const { first, arrangement, count, row } of rounds) {
      for (const result of first) {
        const { outcome } = play(rules.id, 1, [WEIGHT_TOTAL, result], [count, arrangement]);
        expect(evaluate(outcome.symbols)?.row ?? 'no-win').toBe(row);
        expect(readSlotOutcome(outcome)).toMatchObject({ row, symbols: outcome.symbols });
      }
    }
  });

  test('pays exactly by the paytable, at every bet from 1 to 1,000', () => {
    for (const bet of BETS) {
      let paid = fraction(0n, 1n);
      for (const { first, arrangement, count, weight } of rounds) {
        const script = [
          [WEIGHT_TOTAL, first[0] ?? -1],
          [count, arrangement],
        ] as const;
        const { outcome, payoutMinor } = play(rules.id, bet, ...script);
        const full = BigInt(bet) * paysPerHundred(outcome.symbols);
        if (payoutMinor !== (full > CAP_MINOR ? CAP_MINOR : full)) {
          expect.fail(`bet ${bet} on ${outcome.symbols} pays ${payoutMinor}`);
        }
        const shown = readSlotOutcome(outcome);
        const capped = isCapped(shown, { stakeMinor: BigInt(bet) * 100n, payoutMinor });
        if (capped !== full > CAP_MINOR) expect.fail(`bet ${bet} has the wrong cap`);
        paid = plus(paid, fraction(BigInt(weight) * payoutMinor, BigInt(WEIGHT_TOTAL * count)));
      }
      const returned = fraction(paid.numerator, paid.denominator * BigInt(bet) * 100n);
      const published = slotMachine.odds(rules.id).returnAt(BigInt(bet) * 100n);
      if (!same(returned, published)) {
        expect.fail(`bet ${bet}: ${fractionText(returned)} and not ${fractionText(published)}`);
      }
    }
  });

  test('calls three of symbol 1, and nothing else, the jackpot', () => {
    for (const { first, arrangement, count } of rounds) {
      const script = [
        [WEIGHT_TOTAL, first[0] ?? -1],
        [count, arrangement],
      ] as const;
      const { outcome } = play(rules.id, 1, ...script);
      expect(readSlotOutcome(outcome).isJackpot).toBe(outcome.symbols.join('') === '111');
    }
  });

  test('shows every symbol on every reel 21 to 29 % of the time', () => {
    for (const reel of [0, 1, 2]) {
      for (const symbol of SYMBOL_IDS) {
        let share = fraction(0n, 1n);
        for (const { row, arrangement, count, weight } of rounds) {
          if (arrangements(row)[arrangement]?.[reel] !== symbol) continue;
          share = plus(share, fraction(BigInt(weight), BigInt(WEIGHT_TOTAL * count)));
        }
        expect(percent(share, 0)).toBeGreaterThanOrEqual(21);
        expect(percent(share, 0)).toBeLessThanOrEqual(29);
      }
    }
  });

  test('pays whenever two are alike: there is no near miss', () => {
    for (const { row } of rounds) {
      for (const symbols of arrangements(row)) {
        const pays = evaluate(symbols) !== null;
        expect(pays).toBe(new Set(symbols).size < 3);
        expect(winningReels(symbols).filter(Boolean).length).toBe(evaluate(symbols)?.alike ?? 0);
      }
    }
  });

  test('returns at most its published return, and less only with the cap', () => {
    const odds = slotMachine.odds(rules.id);
    let before = odds.expectedReturn;
    for (const bet of BETS) {
      const now = odds.returnAt(BigInt(bet) * 100n);
      expect(bet <= 400 ? same(now, odds.expectedReturn) : isBelow(now, before)).toBe(true);
      before = now;
    }
  });

  test('publishes bands that contain every bet once', () => {
    const odds = slotMachine.odds(rules.id);
    const bands = odds.returnByBet(1, 1_000);
    const ends = bands.map(({ fromBet, toBet }) => [fromBet, toBet]);
    expect(ends).toEqual([
      [1, 400],
      [401, 833],
      [834, 1000],
    ]);
    for (const { fromBet, toBet, low, high } of bands) {
      for (let bet = fromBet; bet <= toBet; bet++) {
        const now = odds.returnAt(BigInt(bet) * 100n);
        expect(isBelow(now, low) || isBelow(high, now)).toBe(false);
      }
    }
    expect(odds.returnByBet(401, 401)).toHaveLength(1);
  });
});

describe('a round', () => {
  test('a bet of 1 on two coins pays 1.50 points, not 1', () => {
    const first = 8 + 35 + 110 + 200 + 300 + 600 + 900;
    expect(play('slot-1', 1, [WEIGHT_TOTAL, first], [9, 0]).payoutMinor).toBe(150n);
  });

  test('with unknown rules throws, without a default', () => {
    expect(() => play('slot-3', 1)).toThrow('slot-3');
  });
});

describe('an outcome read from the ledger', () => {
  test('is refused when it is not a slot outcome', () => {
    const good = play('slot-1', 1, [WEIGHT_TOTAL, 0], [1, 0]).outcome;
    expect(() => readSlotOutcome(good)).not.toThrow();
    for (const symbols of [undefined, [1, 1], [1, 1, 5], '111']) {
      expect(() => readSlotOutcome({ ...good, symbols })).toThrow();
    }
  });
});

test('a draw from seeds is reproducible', () => {
  const round = fc.record({
    serverSeed: fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((b) => Buffer.from(b).toString('hex')),
    clientSeed: fc.stringMatching(/^[\x21-\x39\x3b-\x7e]{1,64}$/),
    nonce: fc.nat(),
  });
  const stake = fc.integer({ min: 1, max: 1_000 }).map((bet) => BigInt(bet) * 100n);
  fc.assert(
    fc.property(round, stake, fc.constantFrom('slot-1', 'slot-2'), (seeds, stakeMinor, rules) => {
      const once = slotMachine.draw({ rules, stakeMinor, lines: 25, draws: createDraws(seeds) });
      const again = slotMachine.draw({ rules, stakeMinor, lines: 1, draws: createDraws(seeds) });
      expect(again).toEqual(once);
    }),
  );
});
