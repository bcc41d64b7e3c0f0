import { createDraws } from '@reelbook/games/fairness/draw';
import { numberOf } from '@reelbook/games/fraction';
import type { Game } from '@reelbook/games/game';
import type { Choice } from '@reelbook/ledger/player/events';
import { chiSquare, normal, runsScore, type Tested } from './statistics.ts';

/** Numbers that one block of a round gives, see libs/games/fairness/draw.ts. */
const NUMBERS_A_BLOCK = 8;
const VALUES = 2 ** 32;
const BITS = 32;
/** Classes of the test over the leading bits: as fine as the number of draws allows. */
const LEADING_BITS_MAX = 16;
const EXPECTED_A_CLASS = 100;
const PAIR_BITS = 6;
/** The next draw, the next but one, the last of the block and the same place in the next. */
const LAGS = [1, 2, 7, 8] as const;
const EXPECTED_MIN = 5;
/** Ten points: what every game takes, and no cap touches. */
const STAKE_MINOR = 1_000n;

export interface Stream {
  /** 64 hex digits. */
  readonly serverSeed: string;
  readonly clientSeed: string;
}

/** `count` draws below 2^32 as rounds make them: a block of eight a nonce. */
export function takeNumbers(stream: Stream, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; ) {
    const draws = createDraws({ ...stream, nonce: i / NUMBERS_A_BLOCK });
    for (let n = 0; n < NUMBERS_A_BLOCK && i < count; n++, i++) numbers[i] = draws.below(VALUES);
  }
  return numbers;
}

/** All tests of a stream of 32-bit numbers. */
export function testNumbers(numbers: Uint32Array): readonly Tested[] {
  const leading = Math.floor(Math.log2(numbers.length / EXPECTED_A_CLASS));
  return [
    ...[0, 8, 16, 24].map((shift) =>
      frequency(numbers, `byte ${3 - shift / 8}`, 256, (v) => (v >>> shift) & 0xff),
    ),
    frequency(numbers, 'leading bits', ...leadingClasses(Math.min(LEADING_BITS_MAX, leading))),
    frequency(numbers, 'below 1,000', 1_000, (v) => v % 1_000),
    pairs(numbers),
    runsAboveAndBelow(numbers),
    runsUpAndDown(numbers),
    ...LAGS.map((lag) => serialCorrelation(numbers, lag)),
    duplicates(numbers),
  ];
}

function leadingClasses(bits: number): [number, (value: number) => number] {
  return [2 ** bits, (value) => value >>> (BITS - bits)];
}

function frequency(
  numbers: Uint32Array,
  name: string,
  classes: number,
  classOf: (value: number) => number,
): Tested {
  const counts = new Uint32Array(classes);
  for (const value of numbers) countOne(counts, classOf(value));
  return chiSquare(`frequency, ${name}`, counts, () => numbers.length / classes);
}

function countOne(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] as number) + 1;
}

/** Pairs that do not overlap, by the leading bits of both. */
function pairs(numbers: Uint32Array): Tested {
  const counts = new Uint32Array(2 ** (2 * PAIR_BITS));
  const shift = BITS - PAIR_BITS;
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const [one, other] = [numbers[i] as number, numbers[i + 1] as number];
    countOne(counts, ((one >>> shift) << PAIR_BITS) | (other >>> shift));
  }
  const expected = Math.floor(numbers.length / 2) / counts.length;
  return chiSquare('pairs', counts, () => expected);
}

function runsAboveAndBelow(numbers: Uint32Array): Tested {
  const middle = VALUES / 2;
  let [above, runs] = [0, 0];
  numbers.forEach((value, i) => {
    const high = value >= middle;
    if (high) above++;
    if (i === 0 || high !== (numbers[i - 1] as number) >= middle) runs++;
  });
  const below = numbers.length - above;
  return normal('runs above and below the middle', runsScore({ above, below, runs }));
}

/** How often the stream turns: n numbers have (2n - 1) / 3 runs up or down, with variance (16n - 29) / 90. */
function runsUpAndDown(numbers: Uint32Array): Tested {
  const count = numbers.length;
  let runs = 1;
  for (let i = 2; i < count; i++) {
    const [a, b, c] = [numbers[i - 2] as number, numbers[i - 1] as number, numbers[i] as number];
    if (b > a !== c > b) runs++;
  }
  const z = (runs - (2 * count - 1) / 3) / Math.sqrt((16 * count - 29) / 90);
  return normal('runs up and down', z);
}

/** Correlation of each number with the one `lag` behind it; of fair ones it is normal with variance 1 / n. */
function serialCorrelation(numbers: Uint32Array, lag: number): Tested {
  const count = numbers.length - lag;
  const mean = (VALUES - 1) / 2;
  let [products, squares] = [0, 0];
  for (let i = 0; i < count; i++) {
    const one = ((numbers[i] as number) - mean) / VALUES;
    const other = ((numbers[i + lag] as number) - mean) / VALUES;
    products += one * other;
    squares += one * one;
  }
  return normal(`serial correlation, lag ${lag}`, (products / squares) * Math.sqrt(count));
}

/** Numbers that were there before: of n out of m nearly Poisson with mean n - m (1 - (1 - 1/m)^n). */
function duplicates(numbers: Uint32Array): Tested {
  const sorted = numbers.slice().sort();
  let found = 0;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) found++;
  const distinct = -VALUES * Math.expm1(sorted.length * Math.log1p(-1 / VALUES));
  const expected = sorted.length - distinct;
  return normal('duplicates', (found - expected) / Math.sqrt(expected));
}

/** A game's own draws against what its paytable promises: how often each multiple comes, and what returns. */
export function testGame(
  game: Game,
  o: { readonly rules: string; readonly choice?: Choice | undefined; readonly rounds: number },
  stream: Stream,
) {
  const { rules, choice, rounds } = o;
  const { paytable, expectedReturn, variance } = game.odds(rules, choice);
  const name = [game.id, rules, ...(choice ? [JSON.stringify(choice)] : [])].join(' ');
  const stakeMinor = STAKE_MINOR;
  const hundredths = (payoutMinor: bigint) => Number((payoutMinor * 100n) / stakeMinor);
  const chances = new Map<number, number>();
  for (const { multiple, chance } of paytable) {
    const key = Math.round(multiple * 100);
    chances.set(key, (chances.get(key) ?? 0) + numberOf(chance));
  }
  chances.set(0, 1 - [...chances.values()].reduce((sum, chance) => sum + chance, 0));
  const counts = new Map([...chances.keys()].map((key) => [key, 0]));
  let paidMinor = 0n;
  for (let nonce = 0; nonce < rounds; nonce++) {
    const draws = createDraws({ ...stream, nonce });
    const { payoutMinor } = game.draw({ rules, choice, stakeMinor, lines: 1, draws });
    const key = hundredths(payoutMinor);
    const before = counts.get(key);
    if (before === undefined) throw new Error(`${name} pays ${key} hundredths, which no row does`);
    counts.set(key, before + 1);
    paidMinor += payoutMinor;
  }
  const kept = mergeThin(
    [...chances].map(([key, chance]) => [chance * rounds, counts.get(key) ?? 0]),
  );
  const rows = chiSquare(
    `${name}, rows of the paytable`,
    kept.map(([, count]) => count),
    (i) => kept[i]?.[0] ?? 0,
  );
  const mean = Number(paidMinor) / Number(stakeMinor) / rounds;
  const spread = Math.sqrt(numberOf(variance) / rounds);
  return [rows, normal(`${name}, return`, (mean - numberOf(expectedReturn)) / spread)];
}

/** Classes that are expected too seldom are counted as one. */
function mergeThin(classes: readonly (readonly [number, number])[]): [number, number][] {
  const thick = classes.filter(([expected]) => expected >= EXPECTED_MIN);
  const thin = classes.filter(([expected]) => expected < EXPECTED_MIN);
  const merged = thin.reduce<[number, number]>(([e, c], [x, y]) => [e + x, c + y], [0, 0]);
  const kept = thick.map(([expected, count]): [number, number] => [expected, count]);
  const [first] = kept;
  if (merged[0] >= EXPECTED_MIN) kept.push(merged);
  else if (first) kept[0] = [first[0] + merged[0], first[1] + merged[1]];
  return kept;
}
