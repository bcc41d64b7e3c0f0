import { type Asset, unit } from './money.ts';

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
