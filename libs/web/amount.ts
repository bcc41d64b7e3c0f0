import {
  AMOUNT_MAX_MINOR,
  type Asset,
  DECIMALS,
  toDecimal,
  toMinor,
  toNumber,
} from '@reelbook/ledger/money';

/**
 * Why typed text is no amount that can be sent. `precise`: more decimals than the asset has, or than a JSON number of this
 * size carries.
 */
export type AmountFault = 'empty' | 'zero' | 'invalid' | 'precise' | 'large';

/** Full-width and Arabic forms, as keyboards type them. */
const FORMS = /[٠-٩۰-۹０-９。｡．٫，٬]/g;
const POINTS = '。｡．٫';
/** Thousands in groups, as this site formats them. */
const GROUPED = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
const PLAIN = /^(\d+\.?\d*|\.\d+)$/;

/** A typed or pasted amount in exact minor units, or the reason why it is refused. Never another amount than the one typed. */
export function readAmount(asset: Asset, text: string): bigint | AmountFault {
  const typed = text.replace(FORMS, plainForm).trim();
  if (typed === '') return 'empty';
  const plain = GROUPED.test(typed) ? typed.replaceAll(',', '') : typed;
  if (!PLAIN.test(plain)) return 'invalid';
  const [integer = '', fraction = ''] = plain.split('.');
  const decimals = fraction.replace(/0+$/, '');
  if (decimals.length > DECIMALS[asset]) return 'precise';
  const minor = BigInt(integer + decimals.padEnd(DECIMALS[asset], '0'));
  if (minor > AMOUNT_MAX_MINOR) return 'large';
  if (minor === 0n) return 'zero';
  return toMinor(asset, toNumber(asset, minor)) === minor ? minor : 'precise';
}

function plainForm(char: string): string {
  if (POINTS.includes(char)) return '.';
  if ('，٬'.includes(char)) return ',';
  // Each of these digits is as far from a multiple of 16 as its value.
  return String(char.charCodeAt(0) % 16);
}

/** An amount as typed: without trailing zeros. */
export function typedAmount(asset: Asset, minor: bigint): string {
  return toDecimal(asset, minor).replace(/\.?0+$/, '');
}

/** A balance of the API in minor units; it is always an integer. */
export function heldMinor(asset: Asset, held: number): bigint {
  return toMinor(asset, held) ?? 0n;
}
