import { assert } from '@reelbook/ledger/assert';
import type { Outcome } from '@reelbook/ledger/player/events';
import type { Draws } from './fairness/draw.ts';
import { type Fraction, fraction, plus, times } from './fraction.ts';
import type { DrawInput, Game, Odds, Report, Timed } from './game.ts';
import { oddsOf } from './odds.ts';

/** Common rules of timed games: when a round ends, and what it pays by its length. */

/** The longest round: this tick is always the last one. */
export const TICKS_MAX = 600;

/** From a count of `from`, a round pays `tenths` tenths of its fee. */
export interface Band {
  readonly from: number;
  readonly tenths: number;
}

/** One version of the rules. It never changes once a round has used it. */
export interface TimedRules {
  readonly id: string;
  /** The chance in percent that a tick is the last one. */
  readonly endPercent: number;
  /** Ascending; below the first a round pays nothing. */
  readonly bands: readonly Band[];
  readonly maxWinMinor: bigint;
  /** The published text, one fact per line. */
  readonly text: string;
}

/** An outcome that can be simulated again from its own data. */
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

/** How a settled round ended: whether it paid. */
export type Ending = 'won' | 'lost';

/** `draws` describes how a round uses its draws, one fact per line. */
export function timedRules(definition: {
  readonly id: string;
  readonly endPercent: number;
  readonly counts: string;
  readonly bands: readonly (readonly [from: number, tenths: number])[];
  readonly draws: readonly string[];
}): TimedRules {
  const bands = definition.bands.map(([from, tenths]) => ({ from, tenths }));
  const ascend = bands.every((band, i) => {
    const before = bands[i - 1] ?? { from: 0, tenths: Number(TENTHS) };
    return band.from > before.from && band.tenths > before.tenths;
  });
  assert(ascend, `the bands of ${definition.id} ascend, and each pays more than the fee`);
  const rules = {
    id: definition.id,
    endPercent: definition.endPercent,
    bands,
    maxWinMinor: MAX_WIN_MINOR,
  };
  const text = [
    `rules ${definition.id}`,
    `ends ${definition.endPercent}/${PERCENT} a tick, after ${TICKS_MAX} ticks at the latest`,
    ...bands.map(({ from, tenths }) => `${definition.counts} ${from} pays ${tenths}/${TENTHS}`),
    `cap ${MAX_WIN_MINOR}`,
    ...definition.draws,
  ].join('\n');
  return { ...rules, text };
}

/** Whether the tick is the last one. Takes one draw, except at the longest round. */
export function isLast(rules: TimedRules, tick: number, draws: Draws): boolean {
  return tick >= TICKS_MAX || draws.below(PERCENT) < rules.endPercent;
}

/** The chance that a round lasts at least this number of ticks. */
export function lasts(rules: TimedRules, ticks: number): Fraction {
  assert(ticks >= 1 && ticks <= TICKS_MAX, 'a tick that a round can reach');
  const exponent = BigInt(ticks - 1);
  return fraction(BigInt(PERCENT - rules.endPercent) ** exponent, BigInt(PERCENT) ** exponent);
}

/** The payout of a round by what its game counts, in minor units. */
export function payoutMinor(rules: TimedRules, count: number, stakeMinor: bigint): bigint {
  const tenths = rules.bands.findLast(({ from }) => count >= from)?.tenths ?? 0;
  const fullMinor = stakeMinor * BigInt(tenths);
  assert(fullMinor % TENTHS === 0n, 'a tenth of integer points is exact');
  const paid = fullMinor / TENTHS;
  return paid > rules.maxWinMinor ? rules.maxWinMinor : paid;
}

/** Whether a round that ends with this count pays. */
export const endingAt = (rules: TimedRules, count: number): Ending =>
  payoutMinor(rules, count, TENTHS) > 0n ? 'won' : 'lost';

/** `reach` is the chance of a count of at least `from`, `rowOf` names that band. */
interface Reach {
  reach(from: number): Fraction;
  rowOf(from: number): string;
}

/** The published odds, exact. */
function timedOdds(rules: TimedRules, { reach, rowOf }: Reach): Odds {
  const rows = rules.bands.map(({ from, tenths }, i) => {
    const next = rules.bands[i + 1];
    const chance = next ? plus(reach(from), times(reach(next.from), -1n)) : reach(from);
    return { row: rowOf(from), hundredths: 10 * tenths, chance };
  });
  const { id, text, maxWinMinor } = rules;
  return oddsOf({ rules: id, text, maxWinMinor, rows: rows.reverse() });
}

/** The rules under an id; throws `Bug` for one that does not exist. */
export function rulesNamed(all: readonly TimedRules[], id: string): TimedRules {
  const rules = all.find((one) => one.id === id);
  assert(rules, `the rules ${id} exist`);
  return rules;
}

/** 10 points: the fee of the specification. */
const FEE_MINOR = 1_000n;

/** A timed game from its own parts; `O` is its outcome in the ledger, `T` a tick of its simulation. */
export function timedGame<O extends TimedOutcome, T extends { readonly tick: number }>(own: {
  readonly id: string;
  readonly title: string;
  /** Every version, oldest first. */
  readonly rules: readonly [TimedRules, ...TimedRules[]];
  odds(rules: TimedRules): Reach;
  simulate(roundSeed: string, rules: string): readonly T[];
  /** What decides the payout, as the bands count it. */
  count(end: T): number;
  /** The figures of the last tick in the outcome. */
  figuresOf(end: T): Outcome;
  read(outcome: Outcome): O;
  describe(outcome: O): string;
  readonly fields: Timed['fields'];
  reportOf(outcome: O): Report;
}): Game<O> {
  const { id, title, rules: all, read } = own;
  return {
    id,
    apiKey: id,
    title,
    defaults: {
      rules: all[0].id,
      minStakeMinor: FEE_MINOR,
      maxStakeMinor: FEE_MINOR,
      maxLines: 1,
      enabled: true,
    },
    rulesIds: all.map((rules) => rules.id),
    draw({ rules, stakeMinor, draws }: DrawInput) {
      const roundSeed = draws.roundSeed();
      const end = own.simulate(roundSeed, rules).at(-1);
      assert(end, 'a round has a tick');
      return {
        outcome: { rules, roundSeed, ticks: end.tick, ...own.figuresOf(end) } as unknown as O,
        payoutMinor: payoutMinor(rulesNamed(all, rules), own.count(end), stakeMinor),
      };
    },
    odds(name) {
      const rules = rulesNamed(all, name);
      return timedOdds(rules, own.odds(rules));
    },
    describe: (outcome) => own.describe(read(outcome)),
    timed: {
      ticksOf: (outcome) => read(outcome).ticks,
      fields: own.fields,
      reportOf: (outcome) => own.reportOf(read(outcome)),
      endPercent: (rules) => rulesNamed(all, rules).endPercent,
    },
    choice: null,
  };
}

/** Reads the common part of the outcome of a timed game. Throws `Bug` for anything else. */
export function readTimed(outcome: Outcome): TimedOutcome {
  const { rules, roundSeed, ticks } = outcome;
  assert(typeof rules === 'string' && typeof roundSeed === 'string', 'it has rules and seed');
  assert(typeof ticks === 'number' && ticks >= 1 && ticks <= TICKS_MAX, 'it has its ticks');
  return { ...outcome, rules, roundSeed, ticks };
}

/** Reads an integer of an outcome; throws `Bug` where there is none. */
export function readCount(outcome: Outcome, name: string): number {
  const count = outcome[name];
  assert(typeof count === 'number' && Number.isInteger(count) && count >= 0, `${name} is a count`);
  return count;
}
