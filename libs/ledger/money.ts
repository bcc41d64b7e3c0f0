/** `points` count in hundredths, `token` (BSM) in 10^-9, the mint's decimals. */
export type Asset = 'points' | 'token';

export const DECIMALS: Readonly<Record<Asset, number>> = { points: 2, token: 9 };

/** The largest amount of one command, in minor units: 10^18 fits a bigint column. */
export const AMOUNT_MAX_MINOR = 10n ** 18n;

/** The most that a token account holds: a Solana amount has 64 bits. */
export const HOLDING_MAX_MINOR = 2n ** 64n - 1n;

/** One leg of double entry. Positive: the account is owed more. Per asset the legs of an event sum to zero. */
export interface Posting {
  /** `player:<wallet>`, `house`, `fees`, `withdrawals` (held), `unmatched` or `chain`. */
  readonly account: string;
  readonly asset: Asset;
  readonly deltaMinor: bigint;
}

export function move(
  asset: Asset,
  source: string,
  target: string,
  amountMinor: bigint,
): readonly Posting[] {
  return [
    { account: source, asset, deltaMinor: -amountMinor },
    { account: target, asset, deltaMinor: amountMinor },
  ];
}

/** Minor units in one unit: 100 for points, 10^9 for token. */
export function unit(asset: Asset): bigint {
  return 10n ** BigInt(DECIMALS[asset]);
}

/**
 * Reads a JSON number of units as minor units, without rounding.
 * @returns the amount in minor units; null when `value` is not a finite number, has more decimals than the asset, or
 * exceeds AMOUNT_MAX_MINOR.
 */
export function toMinor(asset: Asset, value: number): bigint | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const minor = fromDecimal(asset, plainDecimal(Math.abs(value)));
  return minor !== null && value < 0 ? -minor : minor;
}

/** Reads an amount that people typed, "1,000.5", exactly. Null as above, and for a text that may mean another amount, "1,5". */
export function fromDecimal(asset: Asset, text: string): bigint | null {
  const minor = minorOf(asset, text);
  return minor === null || minor > AMOUNT_MAX_MINOR ? null : minor;
}

const DECIMAL = /^([1-9]\d{0,2}(?:[,'\u00a0\u202f]\d{3})+|\d+)(?:\.(\d+))?$/;

function minorOf(asset: Asset, text: string): bigint | null {
  const [, integer = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  const decimals = fraction.replace(/0+$/, '').padEnd(DECIMALS[asset], '0');
  if (integer === '' || decimals.length > DECIMALS[asset]) return null;
  return BigInt(integer.replace(/\D/g, '') + decimals);
}

/**
 * Minor units as a JSON number of units, as in the player API. From 2^23 BSM on, doubles are
 * further apart than minor units: it prints the amount or less, never more, so that a shown balance can be spent.
 */
export function toNumber(asset: Asset, minor: bigint): number {
  if (minor < 0n) return -toNumber(asset, -minor);
  // Both are exact, and so is the printed quotient.
  if (minor < DIGITS_15) return Number(minor) / 10 ** DECIMALS[asset];
  const nearest = Number(toDecimal(asset, minor));
  return (minorOf(asset, plainDecimal(nearest)) ?? 0n) > minor ? before(nearest) : nearest;
}

/** Every decimal of at most 15 digits is what the nearest double prints. */
const DIGITS_15 = 10n ** 15n;

/** The next lower double of a positive one. */
function before(number: number): number {
  const bits = new BigInt64Array(Float64Array.of(number).buffer);
  for (const [at, value] of bits.entries()) bits[at] = value - 1n;
  return new Float64Array(bits.buffer)[0] ?? 0;
}

/** Minor units as an exact decimal text with all the asset's decimals: 1050n points is "10.50". */
export function toDecimal(asset: Asset, minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(DECIMALS[asset] + 1, '0');
  const cut = digits.length - DECIMALS[asset];
  return `${minor < 0n ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** An amount with its unit: "10.5 points", "0.01 BSM". */
export function toText(asset: Asset, minor: bigint): string {
  const amount = toDecimal(asset, minor).replace(/\.?0+$/, '');
  if (asset === 'token') return `${amount} BSM`;
  return `${amount} ${minor === unit(asset) ? 'point' : 'points'}`;
}

/** Numbers of 1e21 and more, or less than 1e-6, print with an exponent; this prints them in full. */
function plainDecimal(value: number): string {
  const text = String(value);
  const match = /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, lead = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  const digits = lead + fraction;
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  return digits.padEnd(exponent + 1, '0');
}

/** An exact fraction of integers: 1/100, 100/1, 5/100. */
export interface Rate {
  readonly numerator: number;
  readonly denominator: number;
}

/** The largest numerator and denominator; products stay small. */
export const RATE_PART_MAX = 1_000_000_000;

export function isRate(rate: Rate): boolean {
  return [rate.numerator, rate.denominator].every(
    (part) => Number.isInteger(part) && part >= 1 && part <= RATE_PART_MAX,
  );
}

/** A share: at least 0, less than 1. */
export function isShare({ numerator, denominator }: Rate): boolean {
  return (
    Number.isInteger(numerator) &&
    isRate({ numerator: 1, denominator }) &&
    numerator >= 0 &&
    numerator < denominator
  );
}

/** Whether an exchange in both directions would return more than was given. */
export function gains(there: Rate, back: Rate): boolean {
  return (
    BigInt(there.numerator) * BigInt(back.numerator) >
    BigInt(there.denominator) * BigInt(back.denominator)
  );
}

/** The value of an amount of one asset in another, in minor units, rounded down. `rate` is per unit. */
export function exchangedMinor({
  fromAsset,
  toAsset,
  amountMinor,
  rate,
}: {
  readonly fromAsset: Asset;
  readonly toAsset: Asset;
  readonly amountMinor: bigint;
  readonly rate: Rate;
}): bigint {
  return (
    (amountMinor * BigInt(rate.numerator) * unit(toAsset)) /
    (BigInt(rate.denominator) * unit(fromAsset))
  );
}

/** The JSON number nearest to a rate, for display and the player API. */
export function rateNumber({ numerator, denominator }: Rate): number {
  return numerator / denominator;
}
