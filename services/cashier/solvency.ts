import { foldedState } from '@reelbook/event-store/read-stream';
import { configDecider } from '@reelbook/ledger/config/decide';
import { DECIMALS, toText } from '@reelbook/ledger/money';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { treasuryFaults } from '@reelbook/ledger/treasury/in-flight';
import { readStuckMinor } from '@reelbook/payments/metrics';
import { reopenUnrecorded } from '@reelbook/payments/movements';
import { readSolvency, type Solvency } from '@reelbook/payments/solvency';
import { readSignedMinor } from '@reelbook/projections/withdrawals/projection';
import type { TreasuryWallet } from '@reelbook/runtime/chain-settings';
import type { Logger } from '@reelbook/runtime/log';
import { MINT_POWERS } from '@reelbook/solana/mint';
import { openChain } from '@reelbook/solana/rpc';
import type pg from 'pg';
import type { CrashPoint } from './context.ts';
import { rescan, startRescan } from './scan.ts';

/** Assets and liabilities, faults, and why the chain could not be compared. */
export interface SolvencyCheck {
  readonly now: Solvency;
  readonly faults: readonly string[];
  readonly unproven: readonly string[];
}

/** Same checks as the audit: money in flight for too long, assets below liabilities, a treasury that is not in the settings. */
export async function checkSolvency(
  pool: pg.Pool,
  o: {
    readonly urls: readonly string[] | null;
    readonly wallets: readonly TreasuryWallet[] | null;
    readonly isOffline: boolean;
  },
): Promise<SolvencyCheck> {
  const now = await readSolvency(pool);
  const stuckMinor = await readStuckMinor(pool, now);
  const faults = [...treasuryFaults({ stuckMinor, marginMinor: now.marginMinor })];
  const unproven: string[] = [];
  const { state } = await foldedState(pool, configDecider, CONFIG_STREAM);
  const { contract: mint = null, projectWallet: wallet = null } = state.config?.token ?? {};
  if (mint === null || wallet === null) return { now, faults, unproven };
  if (o.wallets === null) unproven.push('TREASURY_WALLETS is not set');
  else if (!o.wallets.some((one) => one.wallet === wallet)) {
    faults.push(`the ledger names the treasury ${wallet}, which is not in TREASURY_WALLETS`);
  }
  if (o.isOffline) unproven.push('the chain was not read (--offline)');
  else if (!o.urls) unproven.push('no SOLANA_RPC_URL is set');
  else {
    const held = await readTreasury(o.urls, { mint, wallet });
    if (typeof held === 'string') unproven.push(held);
    else faults.push(...(await coverFaults(pool, now, held)));
  }
  return { now, faults, unproven };
}

/** The treasury's balance on the chain, or a text why it is unknown. */
async function readTreasury(
  urls: readonly string[],
  of: { readonly mint: string; readonly wallet: string },
): Promise<bigint | string> {
  try {
    const chain = openChain({ urls, ...of, decimals: DECIMALS.token, allow: MINT_POWERS });
    return (await chain.treasury()).tokenMinor;
  } catch (error) {
    if (error instanceof Error && ['ChainAway', 'MintRefused'].includes(error.name))
      return error.message;
    throw error;
  }
}

/** Signed withdrawals may be paid while the ledger still counts them as liabilities. */
async function coverFaults(
  pool: pg.Pool,
  { liabilitiesMinor }: Solvency,
  heldMinor: bigint,
): Promise<readonly string[]> {
  const signedMinor = await readSignedMinor(pool);
  if (heldMinor >= liabilitiesMinor - signedMinor) return [];
  const [held, owed] = [heldMinor, liabilitiesMinor].map((minor) => toText('token', minor));
  return [`the treasury holds ${held} on the chain, less than the ${owed} owed`];
}

/**
 * Lists the transactions of the treasury again from the opening, by each node, and adds those that are missing in the cashier's
 * table; the cashier then credits them. Safe while it runs. @returns the number of changed movements.
 */
export async function rescanAll(
  pool: pg.Pool,
  { urls, log }: { readonly urls: readonly string[]; readonly log: Logger },
): Promise<number> {
  const { state } = await foldedState(pool, configDecider, CONFIG_STREAM);
  const { contract: mint = null, projectWallet: wallet = null } = state.config?.token ?? {};
  if (mint === null || wallet === null) return 0;
  const chain = openChain({ urls, mint, wallet, decimals: DECIMALS.token, allow: MINT_POWERS });
  let changed = await reopenUnrecorded(pool);
  const at = (point: CrashPoint) => {
    if (point === 'movement-added') changed++;
  };
  const scanner = { pool, chain, terms: await chain.terms(), log, hold: async () => {}, at };
  for (const url of urls) {
    const again = await startRescan(scanner, url);
    while (again && !(await rescan(again)));
  }
  return changed;
}
