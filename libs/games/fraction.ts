/**
 * An exact number, in lowest terms with a positive denominator. Odds and returns are rounded only for display.
 */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Throws RangeError when `denominator` is 0. */
export function fraction(numerator: bigint, denominator: bigint): Fraction {
  if (denominator === 0n) throw new RangeError('a fraction over zero');
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = sign * greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

export function plus(a: Fraction, b: Fraction): Fraction {
  const numerator = a.numerator * b.denominator + b.numerator * a.denominator;
  return fraction(numerator, a.denominator * b.denominator);
}

export function times(a: Fraction, b: Fraction | bigint): Fraction {
  const by = typeof b === 'bigint' ? { numerator: b, denominator: 1n } : b;
  return fraction(a.numerator * by.numerator, a.denominator * by.denominator);
}

/** The nearest number, for statistics; numerator and denominator may have more digits than a number can store. */
export function numberOf({ numerator, denominator }: Fraction): number {
  return Number((numerator * NUMBER_SCALE) / denominator) / Number(NUMBER_SCALE);
}

const NUMBER_SCALE = 10n ** 15n;

/** "24/25". */
export function fractionText({ numerator, denominator }: Fraction): string {
  return `${numerator}/${denominator}`;
}

/** For display: percent rounded half up to `decimals` places, e.g. 35.53. */
export function percent({ numerator, denominator }: Fraction, decimals = 2): number {
  const scale = 10n ** BigInt(decimals);
  const scaled = (2n * numerator * 100n * scale + denominator) / (2n * denominator);
  return Number(scaled) / Number(scale);
}

/** For display: "1 in 1,250"; one decimal below 10. `chance` is above 0. */
export function oneIn({ numerator, denominator }: Fraction): string {
  const tenths = (20n * denominator + numerator) / (2n * numerator);
  if (tenths < 100n) return `1 in ${Number(tenths) / 10}`;
  const rounded = (2n * denominator + numerator) / (2n * numerator);
  return `1 in ${rounded.toLocaleString('en-US')}`;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
