/**
 * `npm run bench -- luck`: how often the luck test flags honest players, and how soon it flags players who know the
 * draws.
 */
import { randomInt } from 'node:crypto';
import { ALPHA, thresholdLog } from '@reelbook/audit/luck';
import { EXIT, type Exit, print } from '@reelbook/runtime/command';
import { defineCommand, text as option, textOr, UsageError } from '@reelbook/runtime/command-line';
import {
  HONEST,
  READERS,
  randomFrom,
  simulateHonest,
  simulateReader,
} from '@reelbook/testing/luck-simulation';

const PLAYERS_MAX = 10_000_000;
const ROUNDS_MAX = 100_000;
const SEEDS = 2 ** 31;
const READERS_EACH = 1_000;
const READER_ROUNDS_MAX = 100_000;

export const command = defineCommand({
  usage: { '[--players N] [--rounds N] [--seed N]': '' },
  about: `Draws rounds from the published odds and runs the audit's luck test on them (docs/fairness.md).

Exit code 0: honest players reached each e-value as rarely as required, and every reader was flagged; else 1.`,
  options: {
    players: textOr(
      '1000000',
      'N',
      `honest players, with ${HONEST.length} staking strategies in every game`,
    ),
    rounds: textOr('100', 'N', 'rounds per player'),
    seed: option('N', 'repeats a run; default: random'),
  },
  run: simulate,
});

function simulate(values: {
  readonly players: string;
  readonly rounds: string;
  readonly seed?: string;
}): Exit {
  const [players, roundsEach, seed] = [
    values.players,
    values.rounds,
    values.seed ?? randomInt(SEEDS),
  ].map(Number) as [number, number, number];
  const isWithin = (n: number, max: number) => Number.isInteger(n) && n >= 1 && n <= max;
  if (!isWithin(players, PLAYERS_MAX) || !isWithin(roundsEach, ROUNDS_MAX)) {
    throw new UsageError(`players must be 1 to ${PLAYERS_MAX}, rounds 1 to ${ROUNDS_MAX}`);
  }
  if (!Number.isInteger(seed) || seed < 0 || seed >= SEEDS) {
    throw new UsageError(`a seed must be an integer from 0 to ${SEEDS - 1}`);
  }
  const random = randomFrom(seed);
  print(`seed      ${seed}`);
  const { reached, named } = simulateHonest({ players, roundsEach, random });
  let passed = true;
  reached.forEach((count, tens) => {
    const most = players / 10 ** (tens + 1);
    // Five standard deviations above the highest rate that chance allows.
    const isFine = count <= most + 5 * Math.sqrt(most) + 1;
    passed &&= isFine;
    print(
      `honest    ${text(count).padStart(9)} of ${text(players)} reached 10^${tens + 1}, at most ${text(most)} expected${isFine ? '' : ' FAILS'}`,
    );
  });
  const threshold = Math.exp(thresholdLog(players)).toExponential(1);
  print(
    `honest    ${text(named).padStart(9)} flagged, from ${threshold} on; ${ALPHA} expected at most`,
  );
  for (const [name, staking] of Object.entries(READERS)) {
    const found = Array.from({ length: READERS_EACH }, () =>
      simulateReader(staking, { players, random, roundsMax: READER_ROUNDS_MAX }),
    ).flatMap((one) => one ?? []);
    passed &&= found.length === READERS_EACH;
    const rounds = found.map((one) => one.rounds).sort((a, b) => a - b);
    const won = found.map((one) => one.won).sort((a, b) => a - b);
    const at = (sorted: readonly number[], share: number) =>
      text(Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0));
    print(
      `reader    ${name}: flagged after ${at(rounds, 0.5)} rounds (median), ${at(rounds, 0.99)} (99 %), ${at(rounds, 1)} (most); ${at(won, 0.5)} points won by then`,
    );
  }
  print(passed ? 'PASSED' : 'FAILED');
  return passed ? EXIT.done : EXIT.no;
}

function text(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
