import type { Findings } from '../findings.ts';
import type { NamedTreasury } from './ledger-side.ts';

/** A wallet of the treasury as it was given to the audit, from outside the ledger. */
export interface GivenWallet {
  readonly wallet: string;
  /** What the wallet signed before this slot was before this ledger. */
  readonly fromSlot: number | null;
}

/**
 * Compares the wallets that the ledger names with those that the audit was given.
 * @returns why that proves less than it could; null when every one was given.
 */
export function compareWallets(
  named: readonly NamedTreasury[],
  given: readonly GivenWallet[] | null,
  findings: Findings,
): string | null {
  if (given === null) {
    if (named.length === 0) return null;
    return 'the wallets of the treasury were not given (TREASURY_WALLETS): the ledger alone names them';
  }
  for (const { wallet, position } of named) {
    if (given.some((one) => one.wallet === wallet)) continue;
    const said = `the ledger names the treasury ${wallet}, which is none of those given`;
    findings.add('treasury', position, said);
  }
  if (named.length === 0 && given.length > 0) {
    findings.add('treasury', null, 'a treasury was given, and the ledger names none');
  }
  return null;
}
