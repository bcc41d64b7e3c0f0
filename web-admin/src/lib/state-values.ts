import type { Asset } from '@reelbook/ledger/money';
import { assetOf, LIMIT_KINDS, type LimitKind } from '@reelbook/ledger/player/protection-events';
import { formatInteger } from '@reelbook/web/format';
import { decimalText, unitOf } from './amounts.ts';
import { settingName } from './setting-texts.ts';
import { dateTimeText } from './times.ts';

/** Fields whose own words do not say what they are. Others are their words: `clientSeed` is "client seed". */
const NAMES: Readonly<Record<string, string>> = {
  activeHash: 'hash of the active server seed',
  adjustments: 'number of adjustments',
  adminsEver: 'times that a wallet became admin',
  agreed: 'values that two people may restore',
  alone: 'adjusted by one operator',
  anchoredSeal: 'newest anchored seal',
  atMs: 'time',
  budgetMs: 'rate limit in use until',
  budgets: 'rate limits in use until',
  freeMs: 'free acts in use until',
  live: 'transaction in flight',
  n: 'number',
  netDepositsMinor: 'deposits less withdrawals on the chain',
  nextHash: 'hash of the next server seed',
  notice: 'number of the notification',
  notices: 'notifications',
  pair: 'number of the seed pair',
  pointsMinor: 'points',
  publicId: 'public ID',
  readSingly: 'read one by one',
  readTo: 'read up to',
  refused: 'refused sign-ins',
  timed: 'timed games',
  tokenMinor: 'BSM',
};
/** Longer keys, and those with other characters, are identifiers: wallets, rounds, games. */
const WORDS = /^[a-z][a-zA-Z]{0,29}$/;

/** The name of a field of a state: `seeds.activeHash` is "Seeds › hash of the active server seed". */
export function fieldName(path: readonly string[]): string {
  if (path[0] === 'config' && path.length > 1) {
    const [last = ''] = path.slice(-1);
    const isPart = last === 'numerator' || last === 'denominator';
    const name = settingName(path.slice(1, isPart ? -1 : undefined).join('.'));
    return isPart ? `${name} › ${last}` : name;
  }
  const name = path.map(keyName).join(' › ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function keyName(key: string): string {
  if (/^\d+$/.test(key)) return String(Number(key) + 1);
  if (NAMES[key]) return NAMES[key];
  if (!WORDS.test(key)) return key;
  return key.replace(/(Minor|Ms)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Of BSM; other amounts in minor units are points, except those whose object names the asset. */
const OF_TOKEN = /token|^(net|fee|onChain)/i;
const OF_EITHER = ['amountMinor', 'usedMinor', 'deltaMinor'];

/** The asset of an amount at a path of a state; null if nothing on the path names it. */
function assetAt(path: readonly string[], field: string, state: unknown): Asset | null {
  if (!OF_EITHER.includes(field)) return OF_TOKEN.test(field) ? 'token' : 'points';
  if (path.includes('unmatched')) return 'token';
  let asset: Asset | null = null;
  let at = state as Readonly<Record<string, unknown>> | null | undefined;
  for (const key of path) {
    const { asset: named, kind } = at ?? {};
    if (named === 'points' || named === 'token') asset = named;
    else if (kind === 'unmatched') asset = 'token';
    else asset = LIMIT_KINDS.includes(kind as LimitKind) ? assetOf(kind as LimitKind) : asset;
    at = at?.[key] as typeof at;
  }
  return asset;
}

/** Of JSON. */
const WORDS_OF: Readonly<Record<string, string>> = {
  null: 'none',
  '[]': 'none',
  '{}': 'none',
  true: 'yes',
  false: 'no',
};
/** The year 2001, in ms since 1970: smaller numbers of ms are durations. */
const TIME_MS_MIN = 1_000_000_000_000;

/**
 * A leaf of a state, in human units: `995.00 points`, `2026-11-17 14:32:07.412 UTC`. Other values unchanged. Limits and
 * proposals name the asset of their amounts: of these the `state` is needed.
 */
export function stateText(path: readonly string[], value: unknown, state?: unknown): string {
  const field = path.findLast((key) => !/^\d+$/.test(key)) ?? '';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (field.endsWith('Minor') && /^-?\d+$/.test(text)) {
    const asset = assetAt(path, field, state);
    return asset ? `${decimalText(asset, BigInt(text))} ${unitOf(asset)}` : `${text} minor units`;
  }
  if (field.endsWith('Ms') && typeof value === 'number') {
    return value >= TIME_MS_MIN
      ? `${dateTimeText(new Date(value).toISOString())} UTC`
      : `${formatInteger(value)} ms`;
  }
  return typeof value === 'string' ? value || 'empty' : (WORDS_OF[text] ?? text);
}

export interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The leaves of a plain JSON value, in the order of its keys. Empty lists and objects are leaves. */
export function leavesOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  const parts = Object.entries(value);
  if (parts.length === 0) return [{ path, value }];
  return parts.flatMap(([key, part]) => leavesOf(part, [...path, key]));
}
