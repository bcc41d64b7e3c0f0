import { assert } from '../assert.ts';
import type { AdjustConfig } from '../config/config.ts';
import { AMOUNT_MAX_MINOR } from '../money.ts';
import type { Balances } from '../player/balances.ts';
import { AMOUNT_OF } from '../player/standing.ts';
import { type Rejection, reject } from '../rejections.ts';
import type { AllowanceUsed } from './events.ts';

/** Limits what one operator adjusts or voids alone in a day, for all players together. */
export interface UseAllowance
  extends Pick<AllowanceUsed['data'], 'player' | 'asset' | 'deltaMinor' | 'round'> {
  readonly type: 'UseAllowance';
  readonly operator: string;
  readonly terms: AdjustConfig;
  /** Of the act: no earlier one pays for it. */
  readonly day: number;
}

/** The sums that an operator adjusted alone on the latest day with any. */
export type Allowance = { readonly day: number } & Balances;

const size = (minor: bigint) => (minor < 0n ? -minor : minor);

export function useAllowance(
  allowance: Allowance | undefined,
  { operator, player, asset, deltaMinor, round, terms, day: ofAct }: UseAllowance,
): readonly AllowanceUsed[] | Rejection {
  assert(deltaMinor !== 0n && size(deltaMinor) <= AMOUNT_MAX_MINOR, 'an adjustment is not zero');
  // A late clock does not reopen an earlier day.
  const isKnown = allowance !== undefined && allowance.day >= ofAct;
  const day = isKnown ? allowance.day : ofAct;
  const { pointsMinor, tokenMinor } = isKnown ? allowance : { pointsMinor: 0n, tokenMinor: 0n };
  const usedBefore: Balances = { pointsMinor, tokenMinor };
  const key = AMOUNT_OF[asset];
  const usedAfter = { ...usedBefore, [key]: usedBefore[key] + size(deltaMinor) };
  const max = allowanceMaxMinor(terms, asset);
  if (usedAfter[key] > max) {
    const usedMinor = usedBefore[key];
    return reject('operator-allowance-used', { asset, usedMinor, maxMinor: max });
  }
  const what = { player, asset, deltaMinor, ...(round === undefined ? {} : { round }) };
  const data = { operator, ...what, day, usedBefore, usedAfter };
  return [{ type: 'AllowanceUsed', data }];
}

/** The sum that one operator may adjust alone in a day, for all players together. */
export function allowanceMaxMinor(
  terms: AdjustConfig,
  asset: AllowanceUsed['data']['asset'],
): bigint {
  return asset === 'points' ? terms.operatorDayMaxPointsMinor : terms.operatorDayMaxTokenMinor;
}
