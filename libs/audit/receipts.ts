/** Players' receipts against the ledger: events that were cut off or rewritten are missing or different there. */
import type { ChainedEvent } from '@reelbook/games/proofs/chained-event';
import { findChainFault } from '@reelbook/games/proofs/chained-event';
import { type EventProof, eventsOf, findInclusionFault } from '@reelbook/games/proofs/event-proof';
import { isSigned, type Receipt } from '@reelbook/games/proofs/receipt';
import type pg from 'pg';
import type { Findings } from './findings.ts';
import { findLoss, type Restore } from './restores.ts';

/** Limits for the events of one receipt and the bytes of a file: larger ones were not issued by this program. */
const EVENTS_MAX = 1_000;
export const RECEIPT_BYTES_MAX = 8 * 1024 * 1024;

const NONE = 'it is neither a receipt nor a proof of an event';

/** A file that is no receipt, or whose own proofs fail: evidence of nothing. */
export class InvalidReceipt extends Error {
  override readonly name = 'InvalidReceipt';
}

/** What one receipt proves: that its events were in the ledger, and under which seals. */
export interface HeldReceipt {
  readonly name: string;
  /** Its signer's key; null for the proof of a single event, which is not signed. */
  readonly publicKey: string | null;
  readonly events: readonly EventProof[];
}

/** Parses a receipt, or the proof of one event, and verifies it without the ledger. Throws `InvalidReceipt`. */
export function readReceipt(name: string, text: string): HeldReceipt {
  const fail = (why: string) => new InvalidReceipt(`${name}: ${why}`);
  try {
    const read = JSON.parse(text) as Partial<Receipt> & Partial<EventProof>;
    const isReceipt = Array.isArray(read.events);
    if (isReceipt && !isSigned(read as Receipt)) throw fail('its signature is not valid');
    const events = isReceipt
      ? (read.events as readonly EventProof[])
      : eventsOf(read as EventProof);
    if (events.length === 0 || events.length > EVENTS_MAX) throw fail('it has no events');
    for (const event of events) {
      if (!Number.isSafeInteger(event.position)) throw fail(NONE);
      const fault =
        findChainFault(event) ?? (event.inclusion && findInclusionFault(event, event.inclusion));
      if (fault) throw fail(fault);
    }
    return { name, publicKey: isReceipt ? (read as Receipt).signature.public_key : null, events };
  } catch (error) {
    throw error instanceof InvalidReceipt ? error : fail(NONE);
  }
}

/** Compares receipts with the ledger. @returns how many events were compared, and which were lost in a restore. */
export async function compareReceipts(
  pool: pg.Pool,
  receipts: readonly HeldReceipt[],
  findings: Findings,
  restores: readonly Restore[] = [],
): Promise<{ readonly compared: number; readonly lost: readonly string[] }> {
  let compared = 0;
  const lost: string[] = [];
  const lossOf = async (given: ChainedEvent) => {
    const epoch = await findLoss(pool, restores, given);
    return epoch === null ? null : `#${given.position} was lost before epoch ${epoch}`;
  };
  for (const { name, events } of receipts) {
    for (const event of events) {
      compared++;
      const difference = await findDifference(pool, event);
      if (!difference) continue;
      const loss = await lossOf(difference.given);
      if (loss) lost.push(`${name}: ${loss}`);
      else findings.add('receipts', event.position, `${name}: ${difference.fault}`);
    }
  }
  return { compared, lost };
}

async function findDifference(
  pool: pg.Pool,
  event: EventProof,
): Promise<{ readonly given: ChainedEvent; readonly fault: string } | null> {
  const { inclusion } = event;
  const parts: (readonly [string, ChainedEvent | null | undefined])[] = [
    ['its event', event],
    [`its seal ${inclusion?.seal}`, inclusion?.seal_event],
    [`the anchor of seal ${inclusion?.seal}`, inclusion?.anchor?.anchor_event],
  ];
  for (const [what, given] of parts) {
    const fault = given ? await differs(pool, given) : null;
    if (given && fault) return { given, fault: `${what} ${fault}` };
  }
  return null;
}

/** How a proven event differs from the one in the ledger; null when it does not. */
async function differs(pool: pg.Pool, given: ChainedEvent): Promise<string | null> {
  const { rows } = await pool.query<{ hash: Buffer; body: string }>(
    'select hash, body from events where position = $1',
    [given.position],
  );
  const [row] = rows;
  if (!row) return 'is not in the ledger';
  const same = row.body === given.body && row.hash.toString('hex') === given.hash;
  return same ? null : 'differs from the one in the ledger';
}
