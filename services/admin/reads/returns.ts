import { choiceProblem } from '@reelbook/games/choice';
import { numberOf } from '@reelbook/games/fraction';
import { type Game, type Odds, paidMinor } from '@reelbook/games/game';
import { games as allGames, findGame } from '@reelbook/games/rules';
import type { StakeFigures } from '@reelbook/projections/game-days/projection';
import { points } from './convert.ts';

/** Two-sided: a sound game is outside its band once in a thousand checks. */
export const CONFIDENCE = 0.999;
const SIGMAS = 3.2905;

/**
 * Actual return next to the theoretical one, by game and rules, from settled rounds by choice and stake. Shares of 1; null
 * where nothing was staked, or the rules are unknown. Mean and variance of a round come from the paytable.
 */
export function returnsOf(stakes: readonly StakeFigures[], games: readonly Game[] = allGames) {
  const groups = new Map<string, StakeFigures[]>();
  for (const one of stakes) {
    const key = `${one.game} ${one.rules}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => returnOf(group, games));
}

function returnOf(group: readonly StakeFigures[], games: readonly Game[]) {
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
  const actual = staked > 0n ? Number(paid) / Number(staked) : null;
  return {
    game: id,
    title: game?.title ?? id,
    rules,
    // Settled, without voided ones.
    rounds,
    voided,
    staked: points(staked),
    paid: points(paid),
    // Gross gaming revenue.
    ggr: points(staked - paid),
    // Without a cap.
    published: {
      numerator: String(odds?.expectedReturn.numerator ?? 0n),
      denominator: String(odds?.expectedReturn.denominator ?? 1n),
    },
    actual,
    ...(odds && actual !== null ? bandOf(actual, Number(staked), { mean, variance }) : UNKNOWN),
  };
}

type Band = { readonly [Name in keyof ReturnType<typeof bandOf>]: null };
const UNKNOWN: Band = { theoretical: null, low: null, high: null, sigmas: null, inside: null };

/** The band of the actual return; `theoretical` is of the actual stakes, with the cap. */
function bandOf(actual: number, staked: number, sum: Moments) {
  const theoretical = sum.mean / staked;
  const deviation = Math.sqrt(sum.variance) / staked;
  const width = SIGMAS * deviation;
  const sigmas = deviation > 0 ? (actual - theoretical) / deviation : 0;
  return {
    theoretical,
    low: Math.max(0, theoretical - width),
    high: theoretical + width,
    // Distance of the actual return in standard deviations.
    sigmas,
    inside: Math.abs(sigmas) <= SIGMAS,
  };
}

interface Moments {
  readonly mean: number;
  readonly variance: number;
}

/** Mean and variance of the payout of one round at that stake, in minor units, with the cap. */
export function momentsOf(odds: Odds, stakeMinor: bigint): Moments {
  let square = 0;
  for (const { chance, multiple } of odds.paytable) {
    const paid = Number(paidMinor({ multiple }, { stakeMinor, maxWinMinor: odds.maxWinMinor }));
    square += numberOf(chance) * paid ** 2;
  }
  const mean = numberOf(odds.returnAt(stakeMinor)) * Number(stakeMinor);
  return { mean, variance: Math.max(0, square - mean ** 2) };
}
