import {
  addMovement,
  readArrival,
  readMovement,
  readScan,
  removeMovement,
} from '@reelbook/payments/movements';
import { type Report, readDueReports, settleReport } from '@reelbook/payments/reports';
import { verifyTransfer } from '@reelbook/solana/verify-transfer';
import { agree, classify, type Evidence, providersNeeded, Waits } from './classify.ts';
import type { Cashier } from './context.ts';

/** Reports of one round, with at most two requests each. */
const PER_ROUND = 25;
/** Pauses between two look-ups of a report, growing exponentially. */
const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** A transaction that no node has seen for this time cannot land: its blockhash has expired. */
const GIVEN_UP_AFTER_MS = 10 * 60_000;

/**
 * Updates the reports of players. Credits nothing: a reported transaction that the scan has missed becomes a movement, like one
 * of the scan. A failed report is completed if its transaction lands later.
 */
export async function lookUpReports(cashier: Cashier): Promise<void> {
  const due = await readDueReports(cashier.pool, PER_ROUND);
  // All at once: a node that does not respond delays the round by one timeout.
  const looked = await Promise.allSettled(
    due.map(async (report) => settleReport(cashier.pool, report, await lookUp(cashier, report))),
  );
  for (const one of looked) if (one.status === 'rejected') throw one.reason;
}

type Outcome = Parameters<typeof settleReport>[2];

async function lookUp(cashier: Cashier, report: Report): Promise<Outcome> {
  const { pool, chain, terms } = cashier;
  const { signature, wallet, attempts } = report;
  const retryAfterMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(attempts, 10));
  const later: Outcome = { status: 'pending', retryAfterMs };
  const unconfirmed: Outcome = { ...later, fault: 'unconfirmed' };
  const arrival = await readArrival(pool, { signature, tokenAccount: terms.tokenAccount });
  if (arrival?.kind === 'unmatched') return { status: 'review' };
  if (arrival) {
    const isOwn = arrival.sender === wallet;
    return isOwn ? { status: 'completed' } : { status: 'failed', fault: 'wrong-sender' };
  }
  const known = await readMovement(pool, signature, terms.tokenAccount);
  const reports = await chain.reports(signature);
  let evidence: Evidence;
  try {
    evidence = agree(reports, terms);
  } catch (error) {
    if (!(error instanceof Waits)) throw error;
    if (known || error.code === 'unreadable' || error.code === 'providers-differ') {
      return unconfirmed;
    }
    const late = Date.now() - Date.parse(report.reportedAt) > GIVEN_UP_AFTER_MS;
    const isNowhere = reports.every(({ found }) => found === 'none');
    return late && isNowhere ? { status: 'failed', fault: 'not-found' } : later;
  }
  if (evidence.providers >= providersNeeded(cashier)) {
    const fault = await findFault(cashier, evidence, wallet);
    if (fault) return { status: 'failed', fault };
  }
  // Marked as recorded, but not in the ledger: the row is wrong.
  if (known?.recorded) await removeMovement(pool, known);
  const isMissed = !known || known.recorded;
  const movement = isMissed ? await classify(cashier, evidence.transaction) : null;
  if (movement && (await addMovement(pool, movement))) {
    cashier.log.warn({ transaction: signature }, 'a reported transaction was not scanned yet');
  }
  return evidence.providers < providersNeeded(cashier) ? unconfirmed : later;
}

/** Why a transaction is no deposit of the wallet; null if it is one. */
async function findFault(
  { pool, terms }: Cashier,
  { transaction }: Evidence,
  wallet: string,
): Promise<Outcome['fault'] | null> {
  const verdict = verifyTransfer(transaction, terms);
  if (verdict.kind === 'nothing') return verdict.reason;
  if (verdict.kind === 'credit' && verdict.sender !== wallet) return 'wrong-sender';
  const scan = await readScan(pool, terms.tokenAccount);
  return scan !== null && transaction.slot <= scan.openingSlot ? 'before-opening' : null;
}
