import type { Amount } from '@reelbook/contract/admin/common';
import { type Asset, DECIMALS, toDecimal } from '@reelbook/ledger/money';
import { formatInteger } from '@reelbook/web/format';

const MINUS = '\u2212';

/** Points with two decimals, BSM with two to nine: `1,042.50`, `12.500000001`. Exact. */
export function amountText(amount: Amount): string {
  return decimalText(amount.asset, BigInt(amount.minor));
}

/** The same with its sign. */
export function signedText(amount: Amount): string {
  return `${BigInt(amount.minor) > 0n ? '+' : ''}${amountText(amount)}`;
}

export function decimalText(asset: Asset, minor: bigint): string {
  const [integer = '0', fraction = ''] = toDecimal(asset, minor < 0n ? -minor : minor).split('.');
  const decimals = fraction.replace(/0+$/, '').padEnd(2, '0');
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${minor < 0n ? MINUS : ''}${grouped}.${decimals}`;
}

/** To two decimals, half away from zero: for figures that are read at a glance. */
export function rounded({ asset, minor }: Amount): Amount {
  const hundredth = 10n ** BigInt(DECIMALS[asset] - 2);
  const exact = BigInt(minor);
  const half = (exact < 0n ? -hundredth : hundredth) / 2n;
  return { asset, minor: String(((exact + half) / hundredth) * hundredth) };
}

export function unitOf(asset: Asset): string {
  return asset === 'token' ? 'BSM' : 'points';
}

export function isZero(amount: Amount): boolean {
  return BigInt(amount.minor) === 0n;
}

const PERCENT = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** A share (0 to 1) in percent: `96.31 %`. */
export const percentText = (share: number): string => `${PERCENT.format(share * 100)} %`;

/** `one` for a count of 1, otherwise `other`. */
export const plural = (count: number, one: string, other: string): string =>
  count === 1 ? one : other;

/** A count with its noun: `1 event`, `2,000 events`. */
export const counted = (count: number, one: string, other = `${one}s`): string =>
  `${formatInteger(count)} ${plural(count, one, other)}`;
