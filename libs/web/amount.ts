import { type Asset, DECIMALS, toDecimal, toMinor } from '@reelbook/ledger/money';

/** Longest amount that can be typed: 10^18 with nine decimals. */
export const AMOUNT_TEXT_MAX = 28;

/** Why an amount cannot be sent; `empty` also for an incomplete number and 0. */
export type AmountFault = 'empty' | 'precise' | 'large';

/** A typed amount in exact minor units, or the reason why it is invalid. */
export function readAmount(asset: Asset, text: string): bigint | AmountFault {
  if (!/^(\d+\.?\d*|\.\d+)$/.test(text)) return 'empty';
  const [, fraction = ''] = text.split('.');
  if (fraction.replace(/0+$/, '').length > DECIMALS[asset]) return 'precise';
  const minor = toMinor(asset, Number(text));
  if (minor === null) return 'large';
  return minor > 0n ? minor : 'empty';
}

/** An amount as typed: without trailing zeros. */
export function typedAmount(asset: Asset, minor: bigint): string {
  return toDecimal(asset, minor).replace(/\.?0+$/, '');
}

/** A balance of the API in minor units; it is always an integer. */
export function heldMinor(asset: Asset, held: number): bigint {
  return toMinor(asset, held) ?? 0n;
}
