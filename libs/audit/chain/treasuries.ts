import type { Findings } from '../findings.ts';
import type { NamedTreasury } from './ledger-side.ts';

/** A treasury wallet as configured for the audit, from outside the ledger. */
export interface ConfiguredWallet {
  readonly wallet: string;
  /** Transactions signed before this slot were before this ledger. */
  readonly fromSlot: number | null;
}

/**
 * Compares the wallets of the ledger with the configured ones.
 * @returns why that proves less than it could; null when all were configured.
 */
export function compareWallets(
  named: readonly NamedTreasury[],
  given: readonly ConfiguredWallet[] | null,
  findings: Findings,
): string | null {
  if (given === null) {
    if (named.length === 0) return null;
    return 'TREASURY_WALLETS is not set: only the ledger names the wallets of the treasury';
  }
  for (const { wallet, position } of named) {
    if (given.some((one) => one.wallet === wallet)) continue;
    const message = `the ledger has the treasury ${wallet}, which TREASURY_WALLETS does not list`;
    findings.add('treasury', position, message);
  }
  if (named.length === 0 && given.length > 0) {
    findings.add('treasury', null, 'TREASURY_WALLETS is set, but the ledger has no treasury');
  }
  return null;
}
