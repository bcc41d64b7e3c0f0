import type pg from 'pg';
import { type AuditReport, auditLedger } from './audit.ts';
import { type ChainCompared, type ChainOrder, findLastSlot, reconcile } from './chain/reconcile.ts';

/** CLEAN: everything is proven. UNPROVEN: no check failed, but not all could be compared. FAULTY: a check failed. */
export type Verdict = 'CLEAN' | 'UNPROVEN' | 'FAULTY';

/**
 * The audit of the command and of the console: the ledger, then its chain. The last final slot is read before the ledger,
 * so that the ledger can have everything that the chain has up to it.
 */
export async function auditWithChain(
  options: Parameters<typeof auditLedger>[0] & { readonly chain: ChainOrder },
): Promise<{ readonly report: AuditReport; readonly compared: ChainCompared }> {
  const { chain: order, pool, onProgress } = options;
  const lastSlot = await findLastSlot(order);
  const nowMs = await databaseNowMs(pool);
  const scans = await scanFaults(pool, lastSlot);
  const report = await auditLedger({ ...options, nowMs });
  const { ledgerSide: ledger, findings } = report;
  for (const fault of scans) findings.add('followers', null, fault);
  const compared = await reconcile({ ledger, lastSlot, order, findings, onProgress });
  return { report, compared };
}

/** Nodes differ in their last final slot; this is about an hour. */
const SLOTS_AHEAD_MAX = 10_000;

/** Scans of the treasury that claim to have reached a slot that the chain does not have. */
async function scanFaults(pool: pg.Pool, lastSlot: number | null): Promise<readonly string[]> {
  if (lastSlot === null) return [];
  const { rows } = await pool.query<{ account: string; slot: number }>(
    'select token_account as account, reached_slot as slot from treasury_scans where reached_slot > $1',
    [lastSlot + SLOTS_AHEAD_MAX],
  );
  return rows.map(
    ({ account, slot }) =>
      `the scan of ${account} has reached slot ${slot}; the last final slot is ${lastSlot}`,
  );
}

export function verdictOf({ findings }: AuditReport, unproven: readonly string[]): Verdict {
  if (findings.count > 0) return 'FAULTY';
  return unproven.length > 0 ? 'UNPROVEN' : 'CLEAN';
}

async function databaseNowMs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  return rows[0]?.ms ?? Date.now();
}
