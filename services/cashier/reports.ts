import { readMovement, readScan } from '@reelbook/payments/movements';
import { type Report, readDueReports, settleReport } from '@reelbook/payments/reports';
import { verifyTransfer } from '@reelbook/solana/verify-transfer';
import type { Cashier } from './context.ts';

/** Reports of one round, with at most two requests each. */
const PER_ROUND = 25;
/** Pauses between two look-ups of a report, growing exponentially. */
const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** A transaction that no node has seen for this time cannot land: its blockhash has expired. */
const GIVEN_UP_AFTER_MS = 10 * 60_000;

/**
 * Updates the reports of players. Credits nothing: the scan credits deposits, reported or not. A failed report is completed
 * if its transaction lands later.
 */
export async function lookUpReports(cashier: Cashier): Promise<void> {
  for (const report of await readDueReports(cashier.pool, PER_ROUND)) {
    await settleReport(cashier.pool, report, await lookUp(cashier, report));
  }
}

type Outcome = Parameters<typeof settleReport>[2];

async function lookUp({ pool, chain, terms }: Cashier, report: Report): Promise<Outcome> {
  const { signature, wallet, attempts } = report;
  const retryAfterMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(attempts, 10));
  const later: Outcome = { status: 'pending', retryAfterMs };
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
