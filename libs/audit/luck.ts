import { numberOf } from '@reelbook/games/fraction';
import { type Odds, paidMinor } from '@reelbook/games/game';

interface Tilt {
  readonly tilt: number;
  readonly cap: number;
}

/**
 * Luck beyond chance, by a test martingale. A player begins with an e-value of 1. Each round multiplies it by
 * exp(r f(X)) / E[exp(r f(X))], where X is payout over stake, f(X) is X up to `cap`, r is `tilt` times the stake over the
 * player's largest stake so far, and the expectation is that of the published odds at this stake. Everything except X is
 * known before the draw, so under those odds each factor has the expectation 1, for any stakes and any time of stopping: the
 * e-value ever reaches k with a probability of at most 1/k (Ville). Only a player who knows draws before the stake, or
 * chooses which rounds count, can make it grow. The mean over several `TILTS` is a martingale as well.
 *
 * A timed round counts as lost until it ends, so that meanwhile the value is too small, never too large.
 */
const TILTS: readonly Tilt[] = [
  // Wins count alike: for a player who knows the draws and stakes more on those that pay.
  { tilt: 4, cap: 1 },
  { tilt: 1, cap: 1 },
  { tilt: 1 / 4, cap: 1 },
  // Payouts count: for a player who knows the draws and waits for the large ones.
  { tilt: 1 / 2, cap: Number.POSITIVE_INFINITY },
  { tilt: 1 / 5, cap: Number.POSITIVE_INFINITY },
  { tilt: 1 / 20, cap: Number.POSITIVE_INFINITY },
];

/** A stake this many times the previous largest starts again: results at stakes that small are no evidence either way. */
const RESTART_GROWTH = 2;

/** So does this number of rounds: a player who played by chance for long and now knows draws would otherwise have to make up for it. */
const RESTART_ROUNDS = 250;

/** An honest site names one or more players in this share of its audits, at most. */
export const ALPHA = 0.01;

/** The logarithm of the e-value from which one of this number of players is named: their number over alpha. */
export function thresholdLog(players: number): number {
  return Math.log(players / ALPHA);
}

/** Cached per stake: a player's ratios of stake to largest stake are few numbers. */
const MEANS_KEPT_MAX = 64;

/** The possible payouts of one round at one stake, by the published odds. */
export class Chances {
  /** Chance and payout over stake of each row that pays. */
  readonly rows: readonly (readonly [chance: number, multiple: number])[];
  private readonly means = new Map<number, Float64Array>();

  constructor({ paytable, maxWinMinor }: Odds, stakeMinor: bigint) {
    this.rows = paytable.map((row) => {
      const paid = paidMinor(row, { stakeMinor, maxWinMinor });
      return [numberOf(row.chance), Number(paid) / Number(stakeMinor)];
    });
  }

  /** By tilt, the logarithm of E[exp(r f(X))]; a round that pays nothing has exp(0) = 1. */
  meanLogs(weight: number): Float64Array {
    const known = this.means.get(weight);
    if (known) return known;
    const means = Float64Array.from(TILTS, ({ tilt, cap }) => {
      let above = 0;
      for (const [chance, multiple] of this.rows) {
        above += chance * Math.expm1(tilt * weight * Math.min(multiple, cap));
      }
      return Math.log1p(above);
    });
    if (this.means.size === MEANS_KEPT_MAX) this.means.clear();
    this.means.set(weight, means);
    return means;
  }
}

/** A round whose stake is taken: its stake over the largest so far, and its possible payouts. */
export interface StakedRound {
  readonly weight: number;
  readonly chances: Chances;
}

/** One player's e-value, as its logarithm. The error of a sum of n rounds is below n * 1e-14. */
export class Luck {
  rounds = 0;
  /** The largest value of the logarithm: a player who was named stays named after later losses. */
  mostLog = 0;
  /** The part of the initial 1 that is not in play. */
  private reserve = 1;
  private readonly logs = new Float64Array(TILTS.length).fill(Number.NEGATIVE_INFINITY);
  private largest = 0;
  private begun = 0;
  /** Stakes since the last start. */
  private since = 0;

  stake(stake: number, chances: Chances): StakedRound {
    if (stake >= RESTART_GROWTH * this.largest || this.since === RESTART_ROUNDS) this.begin();
    this.since++;
    this.largest = Math.max(this.largest, stake);
    const weight = stake / this.largest;
    const means = chances.meanLogs(weight);
    for (let i = 0; i < means.length; i++) this.add(i, -(means[i] ?? 0));
    return { weight, chances };
  }

  /** `multiple`: payout over stake. */
  settle({ weight }: Pick<StakedRound, 'weight'>, multiple: number): void {
    this.rounds++;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < TILTS.length; i++) {
      const { tilt, cap } = TILTS[i] as Tilt;
      most = Math.max(most, this.add(i, tilt * weight * Math.min(multiple, cap)));
    }
    // The sum is at most their number times the largest, and the reserve, at most 1/2: usually it need not be computed.
    if (most + Math.log(2 * TILTS.length) <= this.mostLog) return;
    this.mostLog = Math.max(this.mostLog, this.log());
  }

  /** A voided round counts as never staked: a player whose lost rounds are voided is lucky with the others. */
  void({ weight, chances }: StakedRound): void {
    const means = chances.meanLogs(weight);
    for (let i = 0; i < means.length; i++) this.add(i, means[i] ?? 0);
  }

  /** Of the current e-value. */
  log(): number {
    return this.logs.reduce(addLogs, Math.log(this.reserve));
  }

  /** Puts a part of the reserve into play, the nth time 1/n - 1/(n + 1): earlier results do not count against it. */
  private begin(): void {
    this.since = 0;
    this.begun++;
    this.reserve = 1 / (this.begun + 1);
    const share = Math.log(this.reserve / this.begun / TILTS.length);
    this.logs.forEach((log, i) => {
      this.logs[i] = addLogs(log, share);
    });
  }

  private add(i: number, log: number): number {
    const sum = (this.logs[i] ?? 0) + log;
    this.logs[i] = sum;
    return sum;
  }
}

/** The logarithm of the sum of two numbers given as logarithms; if the second is not finite, the sum is the first. */
function addLogs(a: number, b: number): number {
  const [less, more] = a < b ? [a, b] : [b, a];
  return less === Number.NEGATIVE_INFINITY ? more : more + Math.log1p(Math.exp(less - more));
}
