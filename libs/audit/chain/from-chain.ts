/**
 * From the chain to the ledger: every transaction that the treasury signed, and every one that moved its tokens, is in the
 * ledger. A ledger that was written anew lacks what the treasury did before.
 */
import { createRootFold } from '@reelbook/games/fairness/merkle';
import { toText } from '@reelbook/ledger/money';
import { type Anchor, anchorMemo } from '@reelbook/ledger/treasury/anchor';
import { IN_FLIGHT_MAX_MS } from '@reelbook/ledger/treasury/in-flight';
import type { TransferFact } from '@reelbook/solana/transfer-facts';
import type { Findings } from '../findings.ts';
import { paymentFault } from './from-ledger.ts';
import { depositKey, type LedgerSide } from './ledger-side.ts';
import type { Side } from './side.ts';

const ANCHOR_PATTERN =
  /^reelbook-anchor-1 seals ([0-9]{1,15})-([0-9]{1,15}) root [0-9a-f]{64} all [0-9a-f]{64}$/;

export interface OnChain {
  readonly tokenAccount: string;
  /** None newer than the ledger that was read. */
  readonly facts: readonly TransferFact[];
  /** What was signed before this slot was before the ledger; what arrived up to the opening is the house's own. */
  readonly fromSlot: number;
  readonly openingSlot: number;
}

/** What no event names and the operators answer for. */
export interface Accepted {
  readonly signatures: Set<string>;
  outMinor: bigint;
  inMinor: bigint;
}

/** @returns how many of them are recent enough to be on their way into the ledger. */
export function compareChain(
  { tokenAccount, facts, fromSlot, openingSlot }: OnChain,
  o: {
    readonly ledger: LedgerSide;
    /** Signatures of transfers that the operators made outside of this program, and answer for. */
    readonly acceptable: ReadonlySet<string>;
    /** Those that were left out of the comparison are added to it. */
    readonly accepted: Accepted;
    readonly nowMs: number;
    readonly findings: Findings;
  },
): number {
  const { ledger, acceptable, accepted, nowMs, findings } = o;
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
    if (ledger.deposits.has(depositKey({ signature, tokenAccount }))) continue;
    if (ledger.anchors.has(signature) && movedMinor === 0n) continue;
    const attempt = ledger.attempts.get(signature);
    const isLate = isOlder(fact, nowMs);
    if (attempt?.state === 'paid') continue;
    if (attempt) {
      const fault = paymentFault(attempt, fact);
      const late = `it landed more than an hour ago, and the ledger has it as ${attempt.state}`;
      if (fault || isLate) {
        findings.add('payments', attempt.position, `the payment ${signature}: ${fault ?? late}`);
      } else underWay++;
    } else if (signed) {
      const fault = signedFault(fact, movedMinor, ledger);
      if (fault) findings.add('treasury', null, fault);
    } else if (movedMinor < 0n) {
      const said = `${bsm(-movedMinor)} left the treasury by ${signature}, which it did not sign`;
      findings.add('treasury', null, said);
    } else if (fact.slot > openingSlot) {
      const said = `${bsm(movedMinor)} arrived by ${signature} more than an hour ago, and the ledger has not`;
      if (isLate) findings.add('treasury', null, said);
      else underWay++;
    }
  }
  return underWay;
}

/** A memo of this program: no operator answers for one that the ledger does not have. */
const isAnchor = ({ memos }: TransferFact) => memos.some((memo) => ANCHOR_PATTERN.test(memo));

const bsm = (minor: bigint) => toText('token', minor);

function isOlder({ timeS }: TransferFact, nowMs: number): boolean {
  return timeS !== null && nowMs - timeS * 1_000 > IN_FLIGHT_MAX_MS;
}

/** What the treasury signed and no event names. An anchor that a crash forgot to ledger is none: it says what the ledger does. */
function signedFault(
  { signature, memos }: TransferFact,
  movedMinor: bigint,
  ledger: LedgerSide,
): string | null {
  const seals = memos.map((memo) => ANCHOR_PATTERN.exec(memo)).find((one) => one !== null);
  if (seals && movedMinor === 0n) {
    const [memo, from, to] = seals;
    if (memoOf(ledger.roots, Number(from), Number(to)) === memo) return null;
    return `the chain anchors seals ${from} to ${to} in ${signature} as the ledger does not have them: it was written anew or cut off`;
  }
  const moved = movedMinor === 0n ? '' : `, which moved ${bsm(movedMinor)}`;
  return `the treasury signed ${signature} on the chain${moved}, and no event of the ledger names it`;
}

/** The memo that would anchor these seals of the ledger; null where it does not have them. */
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
 * What the ledger observed is what the token account held at that slot. @returns the first observation that is not, with what
 * the account held; null when all are.
 */
export function findObservationFault(
  { moves, beginMinor }: Pick<Side, 'moves' | 'beginMinor'>,
  ledger: LedgerSide,
  /** What was observed before the first slot that the chain remembers is not compared. */
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
    const message = `the treasury held ${bsm(heldMinor)} at slot ${slot}, not the ${bsm(tokenMinor)} observed`;
    return { position, message, isNewest: next === moves.length };
  }
  return null;
}
