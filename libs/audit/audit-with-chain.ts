import type pg from 'pg';
import { type AuditReport, auditLedger } from './audit.ts';
import { type ChainCompared, type ChainOrder, findLastSlot, reconcile } from './chain/reconcile.ts';

/** What an audit proves: everything; nothing against it, but not all could be compared; something does not hold. */
export type Verdict = 'CLEAN' | 'UNPROVEN' | 'FAULTY';

/**
 * The audit of the command and of the console: the ledger, then its chain. The last final slot is asked for before the ledger
 * is read, so that the ledger can have all that the chain has up to it.
 */
export async function auditWithChain(
  o: Parameters<typeof auditLedger>[0] & { readonly chain: ChainOrder },
): Promise<{ readonly report: AuditReport; readonly compared: ChainCompared }> {
  const { chain: order, pool, onProgress } = o;
  const lastSlot = await findLastSlot(order);
  const nowMs = await databaseNowMs(pool);
  const report = await auditLedger({ ...o, nowMs });
  const { ledgerSide: ledger, findings } = report;
  const compared = await reconcile({ ledger, lastSlot, order, findings, onProgress });
  return { report, compared };
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
