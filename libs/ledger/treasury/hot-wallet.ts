import type { WithdrawConfig } from '../config/config.ts';
import { toText } from '../money.ts';

type Terms = Pick<WithdrawConfig, 'hotWalletMaxTokenMinor'>;

/** The amount above the treasury's cap; null if there is none or no cap. */
export function overCapMinor(
  heldMinor: bigint,
  { hotWalletMaxTokenMinor: max }: Terms,
): bigint | null {
  return max > 0n && heldMinor > max ? heldMinor - max : null;
}

/** The warning of commands and the audit; it is not a fault of the ledger. */
export function describeOverCap(heldMinor: bigint, terms: Terms): string | null {
  const over = overCapMinor(heldMinor, terms);
  if (over === null) return null;
  const [held, max] = [toText('token', heldMinor), toText('token', terms.hotWalletMaxTokenMinor)];
  return `the hot wallet holds ${held}, ${toText('token', over)} above its cap of ${max}`;
}
