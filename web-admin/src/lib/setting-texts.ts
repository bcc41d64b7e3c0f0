/** Configuration values as operators type them: amounts in points or BSM. The ledger has minor units. */
import type { Asset } from '@reelbook/ledger/money';
import { readAmount, typedAmount } from '@reelbook/web/amount';
import { decimalText, unitOf } from './amounts.ts';

/** The section of a path (each game has its own), and the catalogue key of its name. */
export function placeOf(path: string): { part: string; isGame: boolean; key: string } {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { part: 'general', isGame: false, key: `setting.general.${first}` };
  const isGame = first === 'games';
  if (!isGame) return { part: first, isGame, key: `setting.${path}` };
  return { part: rest[0] ?? '', isGame, key: `setting.game.${rest.slice(1).join('.')}` };
}

/** The asset of an amount; null for other values. */
export function assetOf(path: string): Asset | null {
  if (!path.endsWith('Minor')) return null;
  return path.endsWith('TokenMinor') ? 'token' : 'points';
}

/** The text to edit. */
export function typedOf(path: string, text: string): string {
  const asset = assetOf(path);
  return asset && isMinor(text) ? typedAmount(asset, BigInt(text)) : text;
}

/** Converts typed text to the ledger's text. Invalid amounts get their unit, so that the server rejects them. */
export function textOf(path: string, typed: string): string {
  const asset = assetOf(path);
  const text = typed.trim();
  if (!asset) return text;
  const minor = readAmount(asset, text);
  if (minor === 'zero') return '0';
  return typeof minor === 'bigint' ? minor.toString() : `${text} ${unitOf(asset)}`;
}

/** For display: an amount with its unit. */
export function valueText(path: string, text: string): string {
  const asset = assetOf(path);
  return asset && isMinor(text) ? `${decimalText(asset, BigInt(text))} ${unitOf(asset)}` : text;
}

const isMinor = (text: string) => /^\d{1,30}$/.test(text);
