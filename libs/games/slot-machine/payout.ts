import { assert } from '@reelbook/ledger/assert';
import type { Award, SlotRules } from './paytable.ts';

/** What an award pays on a stake, in minor units, under the cap. */
export function payout(rules: SlotRules, award: Award | null, stakeMinor: bigint): bigint {
  const doubledMinor = stakeMinor * BigInt(award?.halves ?? 0);
  assert(doubledMinor % 2n === 0n, 'half a multiple of whole points is exact');
  const fullMinor = doubledMinor / 2n;
  return fullMinor > rules.maxWinMinor ? rules.maxWinMinor : fullMinor;
}
