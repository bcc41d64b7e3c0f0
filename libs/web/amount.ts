import { type Asset, DECIMALS, toDecimal, toMinor } from '@reelbook/ledger/money';

/** Longest amount that can be typed: 10^18 with nine decimals. */
export const AMOUNT_TEXT_MAX = 28;

/** Why an amount cannot be sent; `empty` also while it is not yet a number, or 0. */
export type AmountFault = 'empty' | 'precise' | 'large';

/** A typed amount in minor units, exactly, or why it is none. */
export function readAmount(asset: Asset, text: string): bigint | AmountFault {
  if (!/^(\d+\.?\d*|\.\d+)$/.test(text)) return 'empty';
  const [, fraction = ''] = text.split('.');
  if (fraction.replace(/0+$/, '').length > DECIMALS[asset]) return 'precise';
  const minor = toMinor(asset, Number(text));
  if (minor === null) return 'large';
  return minor > 0n ? minor : 'empty';
}

/** An amount as one would type it: no zeros at the end. */
export function typedAmount(asset: Asset, minor: bigint): string {
  return toDecimal(asset, minor).replace(/\.?0+$/, '');
}

/** The whole of what is held, in minor units; a number of the API always is one. */
export function heldMinor(asset: Asset, held: number): bigint {
  return toMinor(asset, held) ?? 0n;
}
