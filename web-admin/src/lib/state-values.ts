import type { AdminData } from '@reelbook/admin/answers';
import type { Asset } from '@reelbook/ledger/money';
import { assetOf, LIMIT_KINDS, type LimitKind } from '@reelbook/ledger/player/protection-events';
import { decimalText, unitOf } from './amounts.ts';
import { measureText, settingName } from './setting-texts.ts';

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
  if (path[0] === 'config' && path.length > 1) return settingName(path.slice(1).join('.'));
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
  const shown = measureText(field, text);
  return typeof value === 'string' ? shown || 'empty' : (WORDS_OF[text] ?? shown);
}

export type Change = AdminData<'stateDiff'>['changes'][number];

export interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The leaves of a plain JSON value, in the order of its keys. Empty lists and objects are leaves, and rates: `5/100`. */
export function leavesOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  const { numerator, denominator } = value as Readonly<Record<string, unknown>>;
  if (denominator !== undefined) return [{ path, value: `${numerator}/${denominator}` }];
  const parts = Object.entries(value);
  if (parts.length === 0) return [{ path, value }];
  return parts.flatMap(([key, part]) => leavesOf(part, [...path, key]));
}

/** The changes that led to the state `to`, by path: those of the parts of a rate are one. */
export function mergeRates(changes: readonly Change[], to: unknown): Map<string, Change> {
  const after = new Map(leavesOf(to).map(({ path, value }) => [path.join('.'), value]));
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const path = change.path.slice(0, -1);
    const rate = after.get(path.join('.'));
    const parts = String(merged.get(path.join('.'))?.before ?? rate).split('/');
    parts[change.path.at(-1) === 'numerator' ? 0 : 1] = String(change.before);
    const ofRate = { ...change, path, before: parts.join('/'), after: rate };
    const one = typeof rate === 'string' ? ofRate : change;
    merged.set(one.path.join('.'), one);
  }
  return merged;
}
