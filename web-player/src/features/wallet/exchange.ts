import type { ExchangeType } from '@reelbook/contract/player/wallet';
import { unit } from '@reelbook/ledger/money';
import { readAmount } from '@reelbook/web/amount';

/** Maximum decimals of a displayed rate; the server's rates are exact fractions. */
const RATE_UNIT = 1_000_000_000_000;

/** The typed amount, checked; null while the text is none. Amounts in minor units. */
export interface ExchangeDraft {
  amountMinor: bigint | null;
  /** The amount received, rounded down as the server does; null while it is unknown, or if the balance is too small. */
  receiveMinor: bigint | null;
  fault: 'insufficient' | 'small' | null;
}

/** Recalculated whenever amount, direction, rate or balance changes. */
export function draftExchange(options: {
  from: ExchangeType;
  text: string;
  /** Null while it is unknown. */
  heldMinor: bigint | null;
  /** Units of the other currency for one of `from`; undefined while it loads. */
  rate: number | undefined;
}): ExchangeDraft {
  const amount = readAmount(options.from, options.text);
  if (typeof amount === 'string') {
    return { amountMinor: null, receiveMinor: null, fault: null };
  }
  if (options.heldMinor !== null && amount > options.heldMinor) {
    return { amountMinor: amount, receiveMinor: null, fault: 'insufficient' };
  }
  const receiveMinor =
    options.rate === undefined ? null : receiving(options.from, amount, options.rate);
  if (receiveMinor === 0n) return { amountMinor: amount, receiveMinor: null, fault: 'small' };
  return { amountMinor: amount, receiveMinor, fault: null };
}

export const otherOf = (type: ExchangeType): ExchangeType =>
  type === 'points' ? 'token' : 'points';

/** The smallest amount for which the other currency has a minor unit to give. */
export function leastExchange(from: ExchangeType, rate: number): bigint {
  const given = BigInt(Math.round(rate * RATE_UNIT)) * unit(otherOf(from));
  if (given <= 0n) return 1n;
  const needed = unit(from) * BigInt(RATE_UNIT);
  return (needed + given - 1n) / given;
}

function receiving(from: ExchangeType, amountMinor: bigint, rate: number): bigint {
  const rateUnits = BigInt(Math.round(rate * RATE_UNIT));
  return (amountMinor * rateUnits * unit(otherOf(from))) / (unit(from) * BigInt(RATE_UNIT));
}
