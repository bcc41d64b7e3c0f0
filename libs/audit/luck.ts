import { numberOf } from '@reelbook/games/fraction';
import { type Odds, paidMinor } from '@reelbook/games/game';

interface Tilt {
  readonly tilt: number;
  readonly cap: number;
}

/**
 * Luck beyond chance, by a test martingale. A player begins with an e-value of 1. Each round multiplies it by
 * exp(r f(X)) / E[exp(r f(X))], where X is the payout over the stake, f(X) is X up to `cap`, r is `tilt` times the stake over
 * the player's largest stake so far, and the expectation is that of the published odds at this very stake. All but X is
 * known before the draw, so under those odds each factor has the expectation 1, whatever the player stakes and whenever
 * they stop: the e-value is ever k or more with a chance of 1/k at most (Ville). Only who knows draws before the stake, or
 * chooses which rounds count, can make it grow. The mean over several `TILTS` is such a martingale as well.
 *
 * A round that lasts counts as lost until it ends, so that in between the value is too small, never too large.
 */
const TILTS: readonly Tilt[] = [
  // Wins count alike: who knows the draws stakes much on those that pay.
  { tilt: 4, cap: 1 },
  { tilt: 1, cap: 1 },
  { tilt: 1 / 4, cap: 1 },
  // What they pay counts: who knows the draws waits for the large ones.
  { tilt: 1 / 2, cap: Number.POSITIVE_INFINITY },
  { tilt: 1 / 5, cap: Number.POSITIVE_INFINITY },
  { tilt: 1 / 20, cap: Number.POSITIVE_INFINITY },
];

/** A stake so many times the largest before begins anew: results at stakes that small are no evidence for or against it. */
const GROWN = 2;

/** So does every so many rounds: who played long by chance and knows draws since would else have all that to make up for. */
const ANEW_ROUNDS = 250;

/** An honest site names one player or more in this share of its audits at most. */
export const ALPHA = 0.01;

/** The logarithm of the e-value from which on one of so many players is named: their number over alpha. */
export function thresholdLog(players: number): number {
  return Math.log(players / ALPHA);
}

/** Kept of each stake: a player's stakes over the largest are few numbers. */
const MEANS_KEPT_MAX = 64;

/** What one round can pay at one stake, by the published odds. */
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

/** A round whose stake is taken: its stake over the largest so far, and what it can pay. */
export interface StakedRound {
  readonly weight: number;
  readonly chances: Chances;
}

/** One player's e-value, by its logarithm. A sum of n rounds is off by less than n * 1e-14. */
export class Luck {
  rounds = 0;
  /** The largest that the logarithm ever was: who was named stays named whatever they lose afterwards. */
  mostLog = 0;
  /** What of the initial 1 is not in play. */
  private reserve = 1;
  private readonly logs = new Float64Array(TILTS.length).fill(Number.NEGATIVE_INFINITY);
  private largest = 0;
  private begun = 0;
  /** Stakes since it last began anew. */
  private since = 0;

  stake(stake: number, chances: Chances): StakedRound {
    if (stake >= GROWN * this.largest || this.since === ANEW_ROUNDS) this.begin();
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
    // The sum is at most their number times the largest, and the reserve, which is 1/2 at most: mostly it need not be taken.
    if (most + Math.log(2 * TILTS.length) <= this.mostLog) return;
    this.mostLog = Math.max(this.mostLog, this.log());
  }

  /** A voided round counts as never staked: who has the lost ones voided is lucky with the others. */
  void({ weight, chances }: StakedRound): void {
    const means = chances.meanLogs(weight);
    for (let i = 0; i < means.length; i++) this.add(i, means[i] ?? 0);
  }

  /** Of the e-value now. */
  log(): number {
    return this.logs.reduce(addLogs, Math.log(this.reserve));
  }

  /** Puts a part of the reserve into play, the nth time 1/n - 1/(n + 1): what came before does not count against it. */
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

/** The logarithm of the sum of two numbers whose logarithms are given; the second one is finite or the sum is the first. */
function addLogs(a: number, b: number): number {
  const [less, more] = a < b ? [a, b] : [b, a];
  return less === Number.NEGATIVE_INFINITY ? more : more + Math.log1p(Math.exp(less - more));
}
