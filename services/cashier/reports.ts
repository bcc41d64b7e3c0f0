import { readMovement, readScan } from '@reelbook/payments/movements';
import { type Report, readDueReports, settleReport } from '@reelbook/payments/reports';
import { verifyTransfer } from '@reelbook/solana/verify-transfer';
import type { Cashier } from './context.ts';

/** Reports that one round looks for, each with two requests at most. */
const PER_ROUND = 25;
/** Pauses between two looks: they grow with the looks, so that old ones cost little. */
const AGAIN_MIN_MS = 1_000;
const AGAIN_MAX_MS = 30_000;
/** A transaction that no node has seen for so long never lands: its blockhash has died. */
const GIVEN_UP_AFTER_MS = 10 * 60_000;

/**
 * Tells players what became of the transactions that they reported. It credits nothing: the scan does, also what was
 * never reported, and a report that was given up is completed all the same if its transaction lands after all.
 */
export async function lookForReports(cashier: Cashier): Promise<void> {
  for (const report of await readDueReports(cashier.pool, PER_ROUND)) {
    const said = await look(cashier, report);
    await settleReport(cashier.pool, report, said);
  }
}

type Said = Parameters<typeof settleReport>[2];

async function look({ pool, chain, terms }: Cashier, report: Report): Promise<Said> {
  const { signature, wallet, attempts } = report;
  const againMs = Math.min(AGAIN_MAX_MS, AGAIN_MIN_MS * 2 ** Math.min(attempts, 10));
  const later: Said = { status: 'pending', againMs };
  const movement = await readMovement(pool, signature);
  if (movement?.kind === 'unmatched') return { status: 'review' };
  if (movement?.kind === 'deposit') {
    if (movement.sender !== wallet) return { status: 'failed', fault: 'wrong-sender' };
    return movement.recorded ? { status: 'completed' } : later;
  }
  const transaction = await chain.transaction(signature, 'finalized');
  if (!transaction) {
    const late = Date.now() - Date.parse(report.reportedAt) > GIVEN_UP_AFTER_MS;
    return late ? { status: 'failed', fault: 'not-found' } : later;
  }
  const verdict = verifyTransfer(transaction, terms);
  if (verdict.kind === 'nothing') return { status: 'failed', fault: verdict.reason };
  if (verdict.kind === 'credit' && verdict.sender !== wallet) {
    return { status: 'failed', fault: 'wrong-sender' };
  }
  const scan = await readScan(pool, terms.tokenAccount);
  const tooOld = scan !== null && transaction.slot <= scan.openingSlot;
  return tooOld ? { status: 'failed', fault: 'before-opening' } : later;
}
