import { hashText } from '@reelbook/fairness/commit';
import type { Draws } from '@reelbook/fairness/draw';
import { assert } from '@reelbook/ledger/assert';
import { unit } from '@reelbook/ledger/money';
import type { Outcome } from '@reelbook/ledger/player/events';
import { type Fraction, fraction, oneIn, plus, times } from './fraction.ts';
import type { Odds, ReturnBand } from './game.ts';

/** What the games that last have in common: when a round ends, and what its length is worth. */

/** No round lasts longer: its last tick is the end whatever is drawn. */
export const TICKS_MAX = 600;

/** From `from` of what the game counts on, a round pays `tenths` tenths of its fee. */
export interface Band {
  readonly from: number;
  readonly tenths: number;
}

/** One version of the rules. Once a round has named it, it never changes. */
export interface TimedRules {
  readonly id: string;
  /** The chance, in percent, that a tick is the last one. */
  readonly endPercent: number;
  /** Ascending; below the first a round pays nothing. */
  readonly bands: readonly Band[];
  readonly maxWinMinor: bigint;
  /** As published, one fact a line. */
  readonly text: string;
}

/** An outcome that can be simulated again, tick by tick, without asking anybody. */
export type TimedOutcome = Outcome & {
  readonly rules: string;
  /** 64 hex digits. */
  readonly roundSeed: string;
  readonly ticks: number;
};

/** 10,000 points, in hundredths. */
const MAX_WIN_MINOR = 1_000_000n;
const PERCENT = 100;
const TENTHS = 10n;
const BILLION = 1_000_000_000;

/** `draws` says how a round uses its draws, one fact a line. */
export function timedRules(o: {
  readonly id: string;
  readonly endPercent: number;
  readonly counts: string;
  readonly bands: readonly (readonly [from: number, tenths: number])[];
  readonly draws: readonly string[];
}): TimedRules {
  const bands = o.bands.map(([from, tenths]) => ({ from, tenths }));
  const ascend = bands.every((band, i) => {
    const before = bands[i - 1] ?? { from: 0, tenths: Number(TENTHS) };
    return band.from > before.from && band.tenths > before.tenths;
  });
  assert(ascend, `the bands of ${o.id} ascend, and each pays more than the fee`);
  const rules = { id: o.id, endPercent: o.endPercent, bands, maxWinMinor: MAX_WIN_MINOR };
  const text = [
    `rules ${o.id}`,
    `ends ${o.endPercent}/${PERCENT} a tick, after ${TICKS_MAX} ticks at the latest`,
    ...bands.map(({ from, tenths }) => `${o.counts} ${from} pays ${tenths}/${TENTHS}`),
    `cap ${MAX_WIN_MINOR}`,
    ...o.draws,
  ].join('\n');
  return { ...rules, text };
}

/** Whether the tick is the last one. One draw, but none where the cap ends the round. */
export function isLast(rules: TimedRules, tick: number, draws: Draws): boolean {
  return tick >= TICKS_MAX || draws.below(PERCENT) < rules.endPercent;
}

/** The chance that a round lasts at least so many ticks. */
export function lasts(rules: TimedRules, ticks: number): Fraction {
  assert(ticks >= 1 && ticks <= TICKS_MAX, 'a tick that a round can reach');
  const exponent = BigInt(ticks - 1);
  return fraction(BigInt(PERCENT - rules.endPercent) ** exponent, BigInt(PERCENT) ** exponent);
}

/** What a round pays that reached `count` of what its game counts, in minor units. */
export function payoutMinor(rules: TimedRules, count: number, stakeMinor: bigint): bigint {
  const tenths = rules.bands.findLast(({ from }) => count >= from)?.tenths ?? 0;
  return payTenths(rules, tenths, stakeMinor);
}

function payTenths(rules: TimedRules, tenths: number, stakeMinor: bigint): bigint {
  const fullMinor = stakeMinor * BigInt(tenths);
  assert(fullMinor % TENTHS === 0n, 'a tenth of whole points is exact');
  const paid = fullMinor / TENTHS;
  return paid > rules.maxWinMinor ? rules.maxWinMinor : paid;
}

/**
 * The published mathematics, exact: `reach` is the chance to come to `from` of what the game counts,
 * `rowOf` names that band.
 */
export function timedOdds(
  rules: TimedRules,
  o: { reach(from: number): Fraction; rowOf(from: number): string },
): Odds {
  const zero = fraction(0n, 1n);
  const rows = rules.bands.map(({ from, tenths }, i) => {
    const next = rules.bands[i + 1];
    const chance = plus(o.reach(from), next ? times(o.reach(next.from), -1n) : zero);
    return { from, tenths, chance };
  });
  const mean = (value: (tenths: number) => Fraction) =>
    rows.reduce((sum, { chance, tenths }) => plus(sum, times(chance, value(tenths))), zero);
  const returnAt = (stakeMinor: bigint) =>
    mean((tenths) => fraction(payTenths(rules, tenths, stakeMinor), stakeMinor));
  const expectedReturn = mean((tenths) => fraction(BigInt(tenths), TENTHS));
  const squares = mean((tenths) => fraction(BigInt(tenths) ** 2n, TENTHS ** 2n));
  return {
    rules: rules.id,
    rulesText: rules.text,
    rulesHash: hashText(rules.text),
    maxWinMinor: rules.maxWinMinor,
    expectedReturn,
    hitRate: mean(() => fraction(1n, 1n)),
    variance: plus(squares, times(times(expectedReturn, expectedReturn), -1n)),
    paytable: rows
      .map(({ from, tenths, chance }) => ({
        row: o.rowOf(from),
        symbols: [],
        multiple: tenths / Number(TENTHS),
        weight: Number((chance.numerator * BigInt(BILLION)) / chance.denominator),
        of: BILLION,
        chance,
        odds: oneIn(chance),
      }))
      .reverse(),
    returnAt,
    returnByBet: (fromBet, toBet) => returnByBet(rules, returnAt, fromBet, toBet),
  };
}

/** Between two bets from which on another band is capped the return only falls. */
function returnByBet(
  rules: TimedRules,
  returnAt: (stakeMinor: bigint) => Fraction,
  fromBet: number,
  toBet: number,
): ReturnBand[] {
  const at = (bet: number) => returnAt(BigInt(bet) * unit('points'));
  const lastUncapped = rules.bands.map(({ tenths }) =>
    Number((rules.maxWinMinor * TENTHS) / (BigInt(tenths) * unit('points'))),
  );
  const ends = [...lastUncapped, toBet].filter((bet) => bet >= fromBet && bet <= toBet);
  let start = fromBet;
  return [...new Set(ends)]
    .sort((a, b) => a - b)
    .map((end) => {
      const band = { fromBet: start, toBet: end, low: at(end), high: at(start) };
      start = end + 1;
      return band;
    });
}

/** What every outcome of a game that lasts has. Throws `Bug` for anything else. */
export function readTimed(outcome: Outcome): TimedOutcome {
  const { rules, roundSeed, ticks } = outcome;
  assert(typeof rules === 'string' && typeof roundSeed === 'string', 'it names rules and seed');
  assert(typeof ticks === 'number' && ticks >= 1 && ticks <= TICKS_MAX, 'it lasted some ticks');
  return { ...outcome, rules, roundSeed, ticks };
}

/** A whole number of an outcome; throws `Bug` where there is none. */
export function readCount(outcome: Outcome, name: string): number {
  const count = outcome[name];
  assert(typeof count === 'number' && Number.isInteger(count) && count >= 0, `${name} is a count`);
  return count;
}
