/**
 * From the chain to the ledger: every transaction that the treasury signed, and every one that moved its tokens, is in the
 * ledger. A rewritten ledger lacks what the treasury did before.
 */
import { createRootFold } from '@reelbook/games/fairness/merkle';
import { DAY_MS } from '@reelbook/ledger/calendar';
import { type Anchor, anchorMemo } from '@reelbook/ledger/treasury/anchor';
import { IN_FLIGHT_MAX_MS } from '@reelbook/ledger/treasury/in-flight';
import type { TransferFact } from '@reelbook/solana/transfer-facts';
import type { Treasury } from '@reelbook/solana/verify-transfer';
import type { Findings } from '../findings.ts';
import { bsm, paymentFault } from './from-ledger.ts';
import { depositKey, type LedgerSide } from './ledger-side.ts';
import type { Side } from './side.ts';

const ANCHOR_PATTERN =
  /^reelbook-anchor-1 seals ([0-9]{1,15})-([0-9]{1,15}) root [0-9a-f]{64} all [0-9a-f]{64}$/;

export interface OnChain {
  readonly treasury: Treasury;
  /** None newer than the ledger's snapshot. */
  readonly facts: readonly TransferFact[];
  /** Transactions signed before this slot were before the ledger; arrivals up to the opening belong to the house. */
  readonly fromSlot: number;
  readonly openingSlot: number;
}

/** What no event has and the operators answer for. */
export interface Accepted {
  readonly signatures: Set<string>;
  outMinor: bigint;
  inMinor: bigint;
}

/** @returns the number of recent ones that may still be recorded. */
export function compareChain(
  { treasury, facts, fromSlot, openingSlot }: OnChain,
  options: {
    readonly ledger: LedgerSide;
    /** Signatures of transfers that the operators made outside of this program, and answer for. */
    readonly acceptable: ReadonlySet<string>;
    /** Accepted ones are added to it. */
    readonly accepted: Accepted;
    readonly nowMs: number;
    readonly findings: Findings;
  },
): number {
  const { ledger, acceptable, accepted, nowMs, findings } = options;
  let underWay = 0;
  for (const fact of facts) {
    const { signature, signed, beforeMinor, afterMinor } = fact;
    const movedMinor = afterMinor - beforeMinor;
    if (fact.slot < fromSlot) continue;
    if (acceptable.has(signature) && !isAnchor(fact)) {
      accepted.signatures.add(signature);
      if (movedMinor < 0n) accepted.outMinor -= movedMinor;
      else accepted.inMinor += movedMinor;
      continue;
    }
    const { tokenAccount } = treasury;
    if (ledger.deposits.has(depositKey({ signature, tokenAccount }))) continue;
    if (ledger.anchors.has(signature) && movedMinor === 0n) continue;
    const attempt = ledger.attempts.get(signature);
    // Dust of strangers is recorded once a day.
    const isWaiting = movedMinor < ledger.dustBelowMinor && !ledger.wasPlayer(fact.sender, nowMs);
    const isLate = isOlder(fact, nowMs - (movedMinor > 0n && isWaiting ? DUST_WAITS_MAX_MS : 0));
    if (attempt?.state === 'paid') continue;
    if (attempt) {
      const fault = paymentFault(attempt, fact, treasury);
      const late = `it landed more than an hour ago; the ledger has it as ${attempt.state}`;
      if (fault || isLate) {
        findings.add('payments', attempt.position, `the payment ${signature}: ${fault ?? late}`);
      } else underWay++;
    } else if (signed) {
      const fault = signedFault(fact, movedMinor, ledger);
      if (fault) findings.add('treasury', null, fault);
    } else if (movedMinor < 0n) {
      const message = `${bsm(-movedMinor)} left the treasury by ${signature}, which it did not sign`;
      findings.add('treasury', null, message);
    } else if (fact.slot > openingSlot) {
      const message = `${bsm(movedMinor)} arrived by ${signature} more than an hour ago and is not in the ledger`;
      if (isLate) findings.add('treasury', null, message);
      else underWay++;
    }
  }
  return underWay;
}

/** Until the first round of the next day, and that event again if nodes were away. */
const DUST_WAITS_MAX_MS = 2 * DAY_MS;

/** A memo of this program: operators cannot accept one that the ledger does not have. */
const isAnchor = ({ memos }: TransferFact) => memos.some((memo) => ANCHOR_PATTERN.test(memo));

function isOlder({ timeS }: TransferFact, nowMs: number): boolean {
  return timeS !== null && nowMs - timeS * 1_000 > IN_FLIGHT_MAX_MS;
}

/** What the treasury signed and no event has. An anchor that a crash left unrecorded is none: its memo matches the ledger. */
function signedFault(
  { signature, memos }: TransferFact,
  movedMinor: bigint,
  ledger: LedgerSide,
): string | null {
  const seals = memos.map((memo) => ANCHOR_PATTERN.exec(memo)).find((one) => one !== null);
  if (seals && movedMinor === 0n) {
    const [memo, from, to] = seals;
    if (memoOf(ledger.roots, Number(from), Number(to)) === memo) return null;
    return `the chain anchors seals ${from} to ${to} in ${signature} which differ from the ledger's: the ledger was rewritten or cut off`;
  }
  const moved = movedMinor === 0n ? '' : `, which moved ${bsm(movedMinor)}`;
  return `the treasury signed ${signature} on the chain${moved}, and no event of the ledger has it`;
}

/** The memo that would anchor these seals of the ledger; null if it does not have them. */
function memoOf(roots: readonly string[], fromSeal: number, seal: number): string | null {
  const range = roots.slice(fromSeal - 1, seal);
  const root = range.at(-1);
  if (fromSeal < 1 || root === undefined || range.length !== seal - fromSeal + 1) return null;
  const tree = createRootFold();
  for (const one of range) tree.push(Buffer.from(one, 'hex'));
  const sealsRoot = Buffer.from(tree.root()).toString('hex');
  return anchorMemo({ fromSeal, seal, root, sealsRoot } satisfies Anchor);
}

/**
 * Compares each observation with the token account at its slot. @returns the first one that differs, with what the account
 * had; null when none does.
 */
export function findObservationFault(
  { moves, beginMinor }: Pick<Side, 'moves' | 'beginMinor'>,
  ledger: LedgerSide,
  /** Observations before the first slot that the chain remembers are not compared. */
  { firstSlot, lastSlot }: { readonly firstSlot: number; readonly lastSlot: number },
): { readonly position: number; readonly message: string; readonly isNewest: boolean } | null {
  let next = 0;
  let heldMinor = beginMinor;
  const inOrder = ledger.observations
    .flatMap((one) => (one.slot === null ? [] : [{ ...one, slot: one.slot }]))
    .filter(({ slot }) => slot >= firstSlot && slot <= lastSlot)
    .sort((a, b) => a.slot - b.slot);
  for (const { slot, position, tokenMinor } of inOrder) {
    for (; (moves[next]?.slot ?? Number.POSITIVE_INFINITY) <= slot; next++) {
      heldMinor = moves[next]?.afterMinor ?? heldMinor;
    }
    if (heldMinor === tokenMinor) continue;
    const message = `the treasury had ${bsm(heldMinor)} at slot ${slot}; the observation is ${bsm(tokenMinor)}`;
    return { position, message, isNewest: next === moves.length };
  }
  return null;
}
