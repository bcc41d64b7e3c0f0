import { choiceProblem } from '@reelbook/games/choice';
import { type Fraction, numberOf } from '@reelbook/games/fraction';
import { type Game, type Odds, paidMinor } from '@reelbook/games/game';
import { games as allGames, findGame } from '@reelbook/games/rules';
import type { StakeFigures } from '@reelbook/projections/game-days/projection';

/** Two-sided: a sound game is outside its band once in a thousand checks. */
export const CONFIDENCE = 0.999;
const SIGMAS = 3.2905;

/** Actual return next to the theoretical one. Shares of 1; null where nothing was staked, or the rules are unknown. */
export interface GameReturn {
  readonly game: string;
  readonly title: string;
  readonly rules: string;
  readonly rounds: number;
  readonly stakedMinor: bigint;
  readonly paidMinor: bigint;
  readonly voided: number;
  /** The theoretical return without a cap; null for unknown rules. */
  readonly published: Fraction | null;
  readonly actual: number | null;
  /** Of the actual stakes, with the cap. */
  readonly theoretical: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Distance of the actual return in standard deviations. */
  readonly sigmas: number | null;
  readonly inside: boolean | null;
}

/** By game and rules, from settled rounds by choice and stake. Mean and variance of a round come from the paytable. */
export function returnsOf(
  stakes: readonly StakeFigures[],
  games: readonly Game[] = allGames,
): readonly GameReturn[] {
  const groups = new Map<string, StakeFigures[]>();
  for (const one of stakes) {
    const key = `${one.game} ${one.rules}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => returnOf(group, games));
}

function returnOf(group: readonly StakeFigures[], games: readonly Game[]): GameReturn {
  const [{ game: id, rules } = { game: '', rules: '' }] = group;
  const game = findGame(id, games);
  const odds = game?.rulesIds.includes(rules) ? game.odds(rules) : null;
  let [rounds, voided, staked, paid] = [0, 0, 0n, 0n];
  let [mean, variance] = [0, 0];
  for (const one of group) {
    rounds += one.rounds;
    voided += one.voided;
    staked += BigInt(one.rounds) * one.stakeMinor;
    paid += one.paidMinor;
    // An unknown choice has a theoretical return of 0: what it paid is too much.
    if (!game || !odds || choiceProblem(game, one.choice) !== null) continue;
    const round = momentsOf(game.odds(rules, one.choice), one.stakeMinor);
    mean += one.rounds * round.mean;
    variance += one.rounds * round.variance;
  }
  const base = { game: id, title: game?.title ?? id, rules, rounds, voided };
  const sums = { stakedMinor: staked, paidMinor: paid, published: odds?.expectedReturn ?? null };
  const actual = staked > 0n ? Number(paid) / Number(staked) : null;
  if (!odds || actual === null) return { ...base, ...sums, actual, ...UNKNOWN };
  const theoretical = mean / Number(staked);
  const deviation = Math.sqrt(variance) / Number(staked);
  const width = SIGMAS * deviation;
  const band = { low: Math.max(0, theoretical - width), high: theoretical + width };
  const sigmas = deviation > 0 ? (actual - theoretical) / deviation : 0;
  const inside = Math.abs(sigmas) <= SIGMAS;
  return { ...base, ...sums, actual, theoretical, ...band, sigmas, inside };
}

const UNKNOWN = { theoretical: null, low: null, high: null, sigmas: null, inside: null } as const;

/** Mean and variance of the payout of one round at that stake, in minor units, with the cap. */
export function momentsOf(
  odds: Odds,
  stakeMinor: bigint,
): { readonly mean: number; readonly variance: number } {
  let square = 0;
  for (const { chance, multiple } of odds.paytable) {
    const paid = Number(paidMinor({ multiple }, { stakeMinor, maxWinMinor: odds.maxWinMinor }));
    square += numberOf(chance) * paid ** 2;
  }
  const mean = numberOf(odds.returnAt(stakeMinor)) * Number(stakeMinor);
  return { mean, variance: Math.max(0, square - mean ** 2) };
}
