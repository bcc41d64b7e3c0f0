/** `npm run bench:rng`: the draws under statistical tests, as GLI-19 3.2.2 and 3.3 ask for. Exit code 1 when they fail. */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { games } from '@reelbook/games/rules';
import { takeNumbers, testGame, testNumbers } from '@reelbook/testing/random-tests';
import { levelOfEach, type Tested } from '@reelbook/testing/statistics';

const HELP = `npm run bench:rng -- [--draws N] [--rounds N] [--seed HEX]

Draws as rounds do (HMAC-SHA256, libs/fairness) and tests them: chi-square over bytes, leading bits, residues and pairs,
runs above and below the middle and up and down, serial correlation, duplicates; then each game under each of its rules
against its own paytable and return.

  --draws N    draws below 2^32 (10000000)
  --rounds N   rounds of each rules of each game; a tenth of it where a round lasts (200000)
  --seed HEX   a server seed of 64 hex digits, to repeat a run; else a fresh one

All tests together hold the 99 % level: each is given 1 % divided by their number (Bonferroni), so fair draws fail a whole
run once in a hundred at most. Exit code 0: passed. 1: a test failed. 2: wrong arguments.`;

const DRAWS_MAX = 100_000_000;
/** A round that lasts is simulated tick by tick. */
const TIMED_SHARE = 10;
const CLIENT_SEED = 'bench';
const SEED_BYTES = 32;

function main(): number {
  const { values } = parseArgs({
    options: {
      draws: { type: 'string', default: '10000000' },
      rounds: { type: 'string', default: '200000' },
      seed: { type: 'string', default: randomBytes(SEED_BYTES).toString('hex') },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return say(HELP, 0);
  const [draws, rounds] = [Number(values.draws), Number(values.rounds)];
  const counts = [draws, rounds].every((n) => Number.isInteger(n) && n >= 1_000 && n <= DRAWS_MAX);
  if (!counts || !/^[0-9a-f]{64}$/.test(values.seed)) {
    return say('draws and rounds are 1000 to 100000000, a seed is 64 hex digits; see --help', 2);
  }
  return run({ serverSeed: values.seed, clientSeed: CLIENT_SEED }, draws, rounds);
}

function run(
  stream: { serverSeed: string; clientSeed: string },
  draws: number,
  rounds: number,
): number {
  say(`seed       ${stream.serverSeed}`);
  const started = performance.now();
  const tests: Tested[] = [...testNumbers(takeNumbers(stream, draws))];
  for (const game of games) {
    const some = game.timed ? Math.ceil(rounds / TIMED_SHARE) : rounds;
    for (const rules of game.rulesIds) tests.push(...testGame(game, rules, stream, some));
  }
  const level = levelOfEach(tests.length);
  for (const { name, statistic, p } of tests) {
    const mark = p < level ? 'FAILS' : p < 0.01 ? 'below 0.01' : '';
    say(`p ${p.toFixed(4)}   ${name.padEnd(38)} ${statistic} ${mark}`.trimEnd());
  }
  const failed = tests.filter(({ p }) => p < level);
  const low = tests.filter(({ p }) => p < 0.01).length;
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  const made = `${draws.toLocaleString('en-US')} draws and ${rounds.toLocaleString('en-US')} rounds of each rules in ${seconds} s`;
  say(
    `${failed.length === 0 ? 'PASSED' : 'FAILED'}     ${tests.length} tests, each at p ${level.toExponential(2)}, together at the 99 % level; ` +
      `below 0.01: ${low}, where chance gives ${(tests.length / 100).toFixed(1)}. ${made}`,
  );
  return failed.length === 0 ? 0 : 1;
}

function say(text: string, code = 0): number {
  process.stdout.write(`${text}\n`);
  return code;
}

process.exitCode = main();
