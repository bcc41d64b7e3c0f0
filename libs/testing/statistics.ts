/** Tests of randomness. Each gives its p-value: how often fair draws look at least so strange. */
export interface Tested {
  readonly name: string;
  readonly p: number;
}

/** The least expected count in a class of a chi-square test. */
const EXPECTED_MIN = 5;
const SERIES_MAX = 10_000;
const PRECISION = 1e-14;

/** Pearson's chi-square: whether classes were hit as often as expected. */
export function chiSquare(
  name: string,
  counts: ArrayLike<number>,
  expected: (index: number) => number,
): Tested {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    const wanted = expected(i);
    if (wanted < EXPECTED_MIN) throw new RangeError(`${name}: class ${i} expects ${wanted}`);
    sum += ((counts[i] as number) - wanted) ** 2 / wanted;
  }
  return { name, p: chiSquareTail(sum, counts.length - 1) };
}

/** A standard normal statistic, two-sided. */
export function normal(name: string, z: number): Tested {
  return { name, p: normalTail(z) };
}

/** Wald and Wolfowitz: whether values above and below the middle come in as many runs as chance gives. */
export function runsScore(o: { above: number; below: number; runs: number }): number {
  const total = o.above + o.below;
  const product = 2 * o.above * o.below;
  const mean = product / total + 1;
  const variance = (product * (product - total)) / (total ** 2 * (total - 1));
  return (o.runs - mean) / Math.sqrt(variance);
}

/** How often a chi-square variable of that many degrees of freedom is at least x. */
export function chiSquareTail(x: number, freedom: number): number {
  return gammaTail(freedom / 2, x / 2);
}

/** How often a standard normal variable is at least as far from 0 as z. */
export function normalTail(z: number): number {
  return gammaTail(0.5, (z * z) / 2);
}

/**
 * The level for each of `tests` tests so that fair draws fail any of them with probability `family` at most, however
 * they depend on each other (Bonferroni). Without it, of a hundred tests at the 99 % level one is expected to fail.
 */
export function levelOfEach(tests: number, family = 0.01): number {
  return family / tests;
}

/** The regularized upper incomplete gamma function Q(a, x): by its series below a + 1, by its fraction above. */
function gammaTail(a: number, x: number): number {
  if (x <= 0) return 1;
  const factor = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? 1 - factor * lowerSeries(a, x) : factor * upperFraction(a, x);
}

function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < SERIES_MAX && term > sum * PRECISION; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/** Lentz's way through the continued fraction. */
function upperFraction(a: number, x: number): number {
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let result = d;
  for (let i = 1; i < SERIES_MAX; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / nonZero(an * d + b, tiny);
    c = nonZero(b + an / c, tiny);
    const change = d * c;
    result *= change;
    if (Math.abs(change - 1) < PRECISION) break;
  }
  return result;
}

const nonZero = (value: number, tiny: number) => (Math.abs(value) < tiny ? tiny : value);

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the gamma function for arguments above 0 (Lanczos, g = 7). */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  const sum = LANCZOS.reduce((total, c, i) => total + c / (z + i + 1), 0.99999999999980993);
  const t = z + LANCZOS.length - 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}
