import { findGame } from '@reelbook/games/rules';
import type { Spin } from './player.ts';

/** Two-sided 99.9 %: a sound game is outside once in a thousand demos. */
const SIGMAS = 3.2905;

export interface ReturnBand {
  readonly observed: number;
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The observed return beside the exact band for these very stakes: the paytable gives mean and variance of a round,
 * rounds are independent, so the total's variance is the sum of variance times stake squared.
 */
export function returnBand(spins: readonly Spin[]): ReturnBand {
  let staked = 0;
  let won = 0;
  let mean = 0;
  let variance = 0;
  for (const spin of spins) {
    const odds = findGame('slot-machine')?.odds(spin.rules);
    if (!odds) throw new Error(`unknown rules ${spin.rules}`);
    staked += spin.bet_amount;
    won += spin.total_win;
    mean += ratio(odds.expectedReturn) * spin.bet_amount;
    variance += ratio(odds.variance) * spin.bet_amount ** 2;
  }
  const width = (SIGMAS * Math.sqrt(variance)) / staked;
  const expected = mean / staked;
  return { observed: won / staked, expected, low: expected - width, high: expected + width };
}

function ratio(fraction: { readonly numerator: bigint; readonly denominator: bigint }): number {
  return Number(fraction.numerator) / Number(fraction.denominator);
}
