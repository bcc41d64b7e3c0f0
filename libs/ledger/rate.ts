import { type Asset, unit } from './money.ts';

/** An exact fraction of whole numbers: 1/100, 100/1, 5/100. Never a float, so that what it gives is exact as well. */
export interface Rate {
  readonly numerator: number;
  readonly denominator: number;
}

/** Of numerator and denominator: far more than any rate needs, and products stay small. */
export const RATE_PART_MAX = 1_000_000_000;

export function isRate(rate: Rate): boolean {
  return [rate.numerator, rate.denominator].every(
    (part) => Number.isInteger(part) && part >= 1 && part <= RATE_PART_MAX,
  );
}

/** A part of a whole: 0 or more, less than 1. */
export function isShare({ numerator, denominator }: Rate): boolean {
  return (
    Number.isInteger(numerator) &&
    isRate({ numerator: 1, denominator }) &&
    numerator >= 0 &&
    numerator < denominator
  );
}

/** Whether going there and back would give more than was brought. */
export function gains(there: Rate, back: Rate): boolean {
  return (
    BigInt(there.numerator) * BigInt(back.numerator) >
    BigInt(there.denominator) * BigInt(back.denominator)
  );
}

/** What an amount of one asset is worth in another, in minor units, rounded down. `rate`: whole units for a whole unit. */
export function exchangedMinor(o: {
  readonly fromAsset: Asset;
  readonly toAsset: Asset;
  readonly amountMinor: bigint;
  readonly rate: Rate;
}): bigint {
  return (
    (o.amountMinor * BigInt(o.rate.numerator) * unit(o.toAsset)) /
    (BigInt(o.rate.denominator) * unit(o.fromAsset))
  );
}

/** The JSON number nearest to a rate, for people and for the player API. */
export function rateNumber({ numerator, denominator }: Rate): number {
  return numerator / denominator;
}
