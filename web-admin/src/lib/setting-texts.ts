/** A value of the configuration as operators read and type it: amounts in whole units, the ledger's own in minor ones. */
import type { Asset } from '@reelbook/ledger/money';
import { readAmount, typedAmount } from '@reelbook/web/amount';
import { decimalText, unitOf } from './amounts.ts';

/** The part that a path stands in, a game each, and where the words of its value are in the catalogue. */
export function placeOf(path: string): { part: string; isGame: boolean; words: string } {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0)
    return { part: 'general', isGame: false, words: `setting.general.${first}` };
  const isGame = first === 'games';
  if (!isGame) return { part: first, isGame, words: `setting.${path}` };
  return { part: rest[0] ?? '', isGame, words: `setting.game.${rest.slice(1).join('.')}` };
}

/** What a value is an amount of; null where it is none. */
export function assetOf(path: string): Asset | null {
  if (!path.endsWith('Minor')) return null;
  return path.endsWith('TokenMinor') ? 'token' : 'points';
}

/** As one would type it. */
export function typedOf(path: string, text: string): string {
  const asset = assetOf(path);
  return asset && isMinor(text) ? typedAmount(asset, BigInt(text)) : text;
}

/** What was typed as the text of the ledger. What is no amount goes with its unit, so that it is never taken for one. */
export function textOf(path: string, typed: string): string {
  const asset = assetOf(path);
  const text = typed.trim();
  if (!asset) return text;
  if (/^0+(\.0*)?$/.test(text)) return '0';
  const minor = readAmount(asset, text);
  return typeof minor === 'bigint' ? minor.toString() : `${text} ${unitOf(asset)}`;
}

/** To be read: an amount with its unit. */
export function valueText(path: string, text: string): string {
  const asset = assetOf(path);
  return asset && isMinor(text) ? `${decimalText(asset, BigInt(text))} ${unitOf(asset)}` : text;
}

const isMinor = (text: string) => /^\d{1,30}$/.test(text);
