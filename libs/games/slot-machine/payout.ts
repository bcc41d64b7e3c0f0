import { assert } from '@reelbook/ledger/assert';
import type { Award, SlotRules } from './paytable.ts';

/** What an award pays on a stake, in minor units, and whether the cap cut it. */
export function payout(
  rules: SlotRules,
  award: Award | null,
  stakeMinor: bigint,
): { readonly payoutMinor: bigint; readonly capped: boolean } {
  const doubledMinor = stakeMinor * BigInt(award?.halves ?? 0);
  assert(doubledMinor % 2n === 0n, 'half a multiple of whole points is exact');
  const fullMinor = doubledMinor / 2n;
  const capped = fullMinor > rules.maxWinMinor;
  return { payoutMinor: capped ? rules.maxWinMinor : fullMinor, capped };
}
