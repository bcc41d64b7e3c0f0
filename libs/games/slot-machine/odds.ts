import { hashText } from '@reelbook/fairness/commit';
import { assert } from '@reelbook/ledger/assert';
import { unit } from '@reelbook/ledger/money';
import { type Fraction, fraction, oneIn } from '../fraction.ts';
import type { Odds, PaytableRow, ReturnBand } from '../game.ts';
import { payout } from './payout.ts';
import { type Award, type SlotRules, WEIGHT_TOTAL } from './paytable.ts';

const TOTAL = BigInt(WEIGHT_TOTAL);

/**
 * The published mathematics of one version: every figure is counted from the weights, none is
 * simulated.
 */
export function slotOdds(rules: SlotRules): Odds {
  return {
    rules: rules.id,
    rulesText: rules.text,
    rulesHash: hashText(rules.text),
    maxWinMinor: rules.maxWinMinor,
    expectedReturn: fraction(doubledReturn(rules), 2n * TOTAL),
    hitRate: fraction(
      sum(rules, (award) => (award ? 1n : 0n)),
      TOTAL,
    ),
    variance: variance(rules),
    paytable: paytable(rules),
    returnAt: (stakeMinor) => returnAt(rules, stakeMinor),
    returnByBet: (fromBet, toBet) => returnByBet(rules, fromBet, toBet),
  };
}

/** Sum over all rows of weight times `value`. */
function sum(rules: SlotRules, value: (award: Award | null) => bigint): bigint {
  return rules.rows.reduce((total, row) => total + BigInt(row.weight) * value(row.award), 0n);
}

function halves(award: Award | null): bigint {
  return BigInt(award?.halves ?? 0);
}

function doubledReturn(rules: SlotRules): bigint {
  return sum(rules, halves);
}

/** Mean of the squares less the square of the mean, of multiples counted in halves. */
function variance(rules: SlotRules): Fraction {
  const squares = sum(rules, (award) => halves(award) ** 2n);
  return fraction(squares * TOTAL - doubledReturn(rules) ** 2n, 4n * TOTAL ** 2n);
}

function paytable(rules: SlotRules): PaytableRow[] {
  return rules.rows.flatMap(({ row, weight, award }) => {
    if (!award) return [];
    const { symbol, alike } = award;
    const chance = fraction(BigInt(weight), TOTAL);
    return {
      row,
      symbols: [symbol, symbol, alike === 3 ? symbol : null],
      multiple: award.halves / 2,
      weight,
      of: WEIGHT_TOTAL,
      odds: oneIn(chance),
      chance,
    };
  });
}

function returnAt(rules: SlotRules, stakeMinor: bigint): Fraction {
  assert(stakeMinor > 0n, 'a stake is positive');
  const paid = sum(rules, (award) => payout(rules, award, stakeMinor));
  return fraction(paid, TOTAL * stakeMinor);
}

/** Within a band the same rows are capped, so the return only falls as the bet grows. */
function returnByBet(rules: SlotRules, fromBet: number, toBet: number): ReturnBand[] {
  assert(Number.isSafeInteger(fromBet) && fromBet >= 1, 'bets are whole points from 1');
  assert(Number.isSafeInteger(toBet) && toBet >= fromBet, 'a range of bets has its ends in order');
  const ends = [...lastUncapped(rules), toBet].filter((bet) => bet >= fromBet && bet <= toBet);
  let start = fromBet;
  return [...new Set(ends)]
    .sort((a, b) => a - b)
    .map((end) => {
      const band = { fromBet: start, toBet: end, low: at(rules, end), high: at(rules, start) };
      start = end + 1;
      return band;
    });
}

function at(rules: SlotRules, bet: number): Fraction {
  return returnAt(rules, BigInt(bet) * unit('points'));
}

/** For each award the largest bet, in whole points, that is still paid in full. */
function lastUncapped(rules: SlotRules): number[] {
  const wins = rules.rows.flatMap(({ award }) => (award ? [award] : []));
  return wins.map((award) => Number((2n * rules.maxWinMinor) / (halves(award) * unit('points'))));
}
