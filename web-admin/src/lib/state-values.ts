import type { Asset } from '@reelbook/ledger/money';
import { decimalText, unitOf } from './amounts.ts';
import { dateTimeText } from './times.ts';

/** Fields of states that are amounts in minor units, by the asset that they always have. */
const AMOUNTS: Readonly<Record<Asset, readonly string[]>> = {
  points: ['pointsMinor', 'stakeMinor', 'payoutMinor', 'wonMinor'],
  token: ['tokenMinor', 'netMinor', 'feeMinor', 'onChainMinor'],
};
/** The year 2001, in ms since 1970: smaller numbers of ms are durations. */
const TIME_MS_MIN = 1_000_000_000_000;

/** A leaf of a state, in human units: `995.00 points`, `2026-11-17 14:32:07.412 UTC`. Other values unchanged. */
export function stateText(path: readonly string[], value: unknown): string {
  const field = path.findLast((key) => !/^\d+$/.test(key)) ?? '';
  const asset = (Object.keys(AMOUNTS) as Asset[]).find((one) => AMOUNTS[one].includes(field));
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (asset && /^-?\d+$/.test(text)) return `${decimalText(asset, BigInt(text))} ${unitOf(asset)}`;
  if (field.endsWith('Ms') && Number(text) >= TIME_MS_MIN) {
    return `${dateTimeText(new Date(Number(text)).toISOString())} UTC`;
  }
  return text === '' ? '""' : text;
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
