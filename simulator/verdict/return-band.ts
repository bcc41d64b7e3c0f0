import { numberOf } from '@reelbook/games/fraction';
import { findGame } from '@reelbook/games/rules';

/** Two-sided 99.9 %: a sound game is outside once in a thousand demos. */
const SIGMAS = 3.2905;

/** A round of any game, in points. */
export interface PaidRound {
  readonly rules: string;
  readonly bet_amount: number;
  readonly total_win: number;
}

export interface ReturnBand {
  readonly observed: number;
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The observed return with the exact band for these stakes: the odds give mean and variance of a round,
 * rounds are independent, so the total's variance is the sum of variance times stake squared.
 */
export function returnBand(game: string, rounds: readonly PaidRound[]): ReturnBand {
  let staked = 0;
  let won = 0;
  let mean = 0;
  let variance = 0;
  for (const round of rounds) {
    const odds = findGame(game)?.odds(round.rules);
    if (!odds) throw new Error(`unknown rules ${round.rules}`);
    staked += round.bet_amount;
    won += round.total_win;
    mean += numberOf(odds.expectedReturn) * round.bet_amount;
    variance += numberOf(odds.variance) * round.bet_amount ** 2;
  }
  const width = (SIGMAS * Math.sqrt(variance)) / staked;
  const expected = mean / staked;
  return { observed: won / staked, expected, low: expected - width, high: expected + width };
}
