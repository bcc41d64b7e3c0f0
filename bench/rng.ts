/**
 * `npm run bench -- rng`: statistical tests of the draws, as GLI-19 3.2.2 and 3.3 require. Exit code 1 when they fail.
 */
import { randomBytes } from 'node:crypto';
import { games } from '@reelbook/games/rules';
import { EXIT, type Exit, print } from '@reelbook/runtime/command';
import { defineCommand, text, textOr, UsageError } from '@reelbook/runtime/command-line';
import { takeNumbers, testGame, testNumbers } from '@reelbook/testing/random-tests';
import { levelOfEach, type Tested } from '@reelbook/testing/statistics';

/** With fewer draws, some class of a chi-square test would have too small an expected count. */
const DRAWS_MIN = 1_000_000;
const ROUNDS_MIN = 200_000;
const MAX = 100_000_000;
/** A timed round is simulated tick by tick. */
const TIMED_SHARE = 10;
const CLIENT_SEED = 'bench';
const SEED_BYTES = 32;

export const command = defineCommand({
  usage: { '[--draws N] [--rounds N] [--seed HEX]': '' },
  about: `Draws as rounds do (HMAC-SHA256, libs/games/fairness) and tests them: chi-square over bytes, leading bits, residues and pairs,
runs above and below the middle and up and down, serial correlation, duplicates; then each game under each of its rules
against its own paytable and return.

All tests together hold the 99 % level: each is given 1 % divided by their number (Bonferroni), so fair draws fail a
run once in a hundred at most. Exit code 0: passed. 1: a test failed.`,
  options: {
    draws: textOr('10000000', 'N', 'draws below 2^32, at least 1000000'),
    rounds: textOr(
      '200000',
      'N',
      'rounds of each rules of each game, at least 200000; a tenth of it for timed games',
    ),
    seed: text('HEX', 'a server seed of 64 hex digits, repeats a run; default: random'),
  },
  run({ seed = randomBytes(SEED_BYTES).toString('hex'), ...values }) {
    const [draws, rounds] = [Number(values.draws), Number(values.rounds)];
    const isWithin = (n: number, min: number) => Number.isInteger(n) && n >= min && n <= MAX;
    if (!isWithin(draws, DRAWS_MIN) || !isWithin(rounds, ROUNDS_MIN)) {
      throw new UsageError(`draws must be ${DRAWS_MIN} to ${MAX}, rounds ${ROUNDS_MIN} to ${MAX}`);
    }
    if (!/^[0-9a-f]{64}$/.test(seed)) throw new UsageError('a seed must be 64 hex digits');
    return measure({ serverSeed: seed, clientSeed: CLIENT_SEED }, draws, rounds);
  },
});

function measure(
  stream: { serverSeed: string; clientSeed: string },
  draws: number,
  rounds: number,
): Exit {
  print(`seed       ${stream.serverSeed}`);
  const started = performance.now();
  const tests: Tested[] = [...testNumbers(takeNumbers(stream, draws))];
  for (const game of games) {
    const some = game.timed ? Math.ceil(rounds / TIMED_SHARE) : rounds;
    for (const rules of game.rulesIds)
      tests.push(...testGame(game, { rules, rounds: some }, stream));
  }
  const level = levelOfEach(tests.length);
  for (const { name, statistic, p } of tests) {
    const mark = p < level ? 'FAILS' : p < 0.01 ? 'below 0.01' : '';
    print(`p ${p.toFixed(4)}   ${name.padEnd(38)} ${statistic} ${mark}`.trimEnd());
  }
  const failed = tests.filter(({ p }) => p < level);
  const low = tests.filter(({ p }) => p < 0.01).length;
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  const made = `${draws.toLocaleString('en-US')} draws and ${rounds.toLocaleString('en-US')} rounds of each rules in ${seconds} s`;
  print(
    `${failed.length === 0 ? 'PASSED' : 'FAILED'}     ${tests.length} tests, each at p ${level.toExponential(2)}, together at the 99 % level; ` +
      `below 0.01: ${low}, where chance gives ${(tests.length / 100).toFixed(1)}. ${made}`,
  );
  return failed.length === 0 ? EXIT.done : EXIT.no;
}
