import { setTimeout as sleep } from 'node:timers/promises';
import { createRootFold } from '@reelbook/games/fairness/merkle';
import { DAY_MS } from '@reelbook/ledger/calendar';
import { toText } from '@reelbook/ledger/money';
import { type Anchor, anchorMemo, readAnchorMemo } from '@reelbook/ledger/treasury/anchor';
import { IN_FLIGHT_MAX_MS } from '@reelbook/ledger/treasury/in-flight';
import { providerOf } from '@reelbook/solana/nodes';
import { isSignature } from '@reelbook/solana/transaction';
import {
  concernsTreasury,
  type TransferFact,
  type Treasury,
  transferFact,
} from '@reelbook/solana/verify-transfer';
import type { Findings, Progress } from '../findings.ts';
import { lossFault } from '../restores.ts';
import {
  type ConfiguredWallet,
  compareWallets,
  firstSlot,
  openAudited,
  places,
  readSide,
  type Side,
} from './chain-side.ts';
import {
  bsm,
  compareTransaction,
  depositKey,
  type LedgerSide,
  type LedgerTransaction,
  ledgerTransactions,
  paymentFault,
} from './ledger-side.ts';

/**
 * From the chain to the ledger: every transaction that the treasury signed, and every one that moved its tokens, is in the
 * ledger. A rewritten ledger lacks what the treasury did before.
 */

interface OnChain {
  readonly treasury: Treasury;
  /** None newer than the ledger's snapshot. */
  readonly facts: readonly TransferFact[];
  /** Transactions signed before this slot were before the ledger; arrivals up to the opening belong to the house. */
  readonly fromSlot: number;
  readonly openingSlot: number;
}

/** What no event has and the operators answer for. */
interface Accepted {
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
      const loss = lossFault(ledger.restores, fact);
      if (loss?.fault) {
        const message = `the restore excuses ${signature}: ${loss.fault}`;
        findings.add('treasury', loss.position, message);
      }
      const fault = loss ? null : signedFault(fact, movedMinor, ledger);
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
const isAnchor = ({ memos }: TransferFact) => memos.some((memo) => readAnchorMemo(memo) !== null);

function isOlder({ timeS }: TransferFact, nowMs: number): boolean {
  return timeS !== null && nowMs - timeS * 1_000 > IN_FLIGHT_MAX_MS;
}

/** What the treasury signed and no event has. An anchor that a crash left unrecorded is none: its memo matches the ledger. */
function signedFault(
  { signature, memos }: TransferFact,
  movedMinor: bigint,
  ledger: LedgerSide,
): string | null {
  const anchor = memos.map(readAnchorMemo).find((one) => one !== null);
  if (anchor && movedMinor === 0n) {
    const { fromSeal, seal } = anchor;
    if (memoOf(ledger.roots, fromSeal, seal) === anchorMemo(anchor)) return null;
    return `the chain anchors seals ${fromSeal} to ${seal} in ${signature} which differ from the ledger's: the ledger was rewritten or cut off`;
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
function findObservationFault(
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

/** Transactions of the ledger, newest first, that one audit looks up by default if the scan did not find them. */
const LOOKED_UP_MAX = 1_000;
/** The lag of a node relative to the one that the cashier uses: ten minutes of slots. */
const LAG_SLOTS_MAX = 1_500;
/** An account may show a transaction shortly before it is listed. */
const LISTED_LATE_MS = 2_000;
const LISTED_LATE_READS = 3;
const LOOKUPS_PER_BATCH = 100;

/** The audit's input about the chain, all of it from outside the ledger. */
export interface ChainOrder {
  /** Null: no RPC is configured. */
  readonly urls: readonly string[] | null;
  /** The treasury's wallets, past ones too; null: not configured. */
  readonly wallets: readonly ConfiguredWallet[] | null;
  /** Signatures of transfers that the treasury made outside of this program, and the operators answer for. */
  readonly accepted: readonly string[];
  /** The folder of the cursor and the seen transactions; null: none. */
  readonly folder: string | null;
  /** Whether to scan and look up everything, without a limit. */
  readonly all: boolean;
  /** The chain is not read. */
  readonly isOffline: boolean;
}

/** Whether all RPCs are of one provider: nothing confirms its word. */
export const isOfOneProvider = ({ urls }: Pick<ChainOrder, 'urls'>): boolean =>
  new Set((urls ?? []).map((url) => providerOf(new URL(url).hostname))).size === 1;

export interface ChainCompared {
  /** Why the ledger is not proven against the chain; empty when it is, or has no chain. */
  readonly unproven: readonly string[];
  /** Whether the ledger has a treasury, or one was configured. */
  readonly hasChain: boolean;
  /** Of the treasury, on the chain: compared with the ledger. */
  readonly transactions: number;
  /** Of the ledger: found on the chain, and not looked up because of the limit. */
  readonly found: number;
  readonly older: number;
  /** Recent enough to be in flight between chain and ledger. */
  readonly underWay: number;
  /** On the chain and in no event, accepted because operators listed them. */
  readonly accepted: Omit<Accepted, 'signatures'> & { readonly count: number };
}

const NOT_COMPARED: ChainCompared = {
  unproven: [],
  hasChain: false,
  transactions: 0,
  found: 0,
  older: 0,
  underWay: 0,
  accepted: { count: 0, outMinor: 0n, inMinor: 0n },
};

/**
 * The last final slot, read before the ledger: what the chain has up to it can be in the ledger. Null without an RPC or
 * without a response; `reconcile` reports why.
 */
export async function findLastSlot(order: ChainOrder): Promise<number | null> {
  if (order.isOffline || !order.urls) return null;
  const chain = openAudited(order.urls, { mint: NO_MINT, wallet: NO_MINT });
  return chain.read('getSlot', (node) => node.getSlot('finalized')).catch(() => null);
}

/** Any address: the finalized slot does not depend on a mint. */
const NO_MINT = 'So11111111111111111111111111111111111111112';

interface Work {
  readonly ledger: LedgerSide;
  readonly lastSlot: number;
  readonly order: ChainOrder;
  readonly findings: Findings;
  readonly onProgress: Progress;
}

/** Compares ledger and chain in both directions. `unproven` lists everything that cannot be compared. */
export async function reconcile(
  options: Omit<Work, 'lastSlot'> & { readonly lastSlot: number | null },
): Promise<ChainCompared> {
  const { ledger, order, findings, lastSlot } = options;
  const hasChain = ledger.treasuries.length > 0 || (order.wallets ?? []).length > 0;
  const unproven: string[] = [];
  const end = (more: Partial<ChainCompared> = {}) => ({
    ...NOT_COMPARED,
    hasChain,
    unproven,
    ...more,
  });
  const notGiven = compareWallets(ledger.treasuries, order.wallets, findings);
  if (notGiven) unproven.push(notGiven);
  if (!hasChain || ledger.treasuries.length === 0) return end();
  if (order.isOffline) unproven.push('the chain was not read (--offline)');
  else if (!order.urls) unproven.push('no SOLANA_RPC_URL is set');
  else if (lastSlot === null) unproven.push('no RPC responded');
  if (order.isOffline || !order.urls || lastSlot === null) return end();
  try {
    const sides: Side[] = [];
    for (const place of places(options.ledger, order.wallets ?? [])) {
      sides.push(
        await readSide({ ...order, urls: order.urls, onProgress: options.onProgress }, place),
      );
    }
    return end(await compare({ ...options, lastSlot }, sides, unproven));
  } catch (error) {
    if (!(error instanceof Error) || !CHAIN_FAULTS.includes(error.name)) throw error;
    unproven.push(error.message);
    return end();
  }
}

/** Responses of a chain, or missing ones, that are not this program's fault. */
const CHAIN_FAULTS: readonly string[] = [
  'ChainAway',
  'MintRefused',
  'TransactionUnavailable',
  // Of web3.js: a call that the node does not support, a response of another shape.
  'SolanaJSONRPCError',
  'StructError',
];

async function compare(
  work: Work,
  sides: readonly Side[],
  unproven: string[],
): Promise<Partial<ChainCompared>> {
  const { ledger, lastSlot, findings, order } = work;
  const openingSlot = ledger.observations.find(({ slot }) => slot !== null)?.slot ?? lastSlot;
  const acceptable = new Set(order.accepted);
  const accepted: Accepted = { signatures: new Set(), outMinor: 0n, inMinor: 0n };
  const looked = await compareLedger(work, sides, unproven);
  let transactions = 0;
  let underWay = 0;
  for (const side of sides) {
    const { fromSlot, completeFrom, gaps, treasury, chain } = side;
    unproven.push(...gaps);
    const begins = fromSlot || Math.min(openingSlot, firstOf(ledger));
    if (completeFrom > begins) {
      unproven.push(
        `the RPC has the chain from slot ${completeFrom}; the ledger started at slot ${begins}`,
      );
    }
    const facts = side.facts.filter(({ slot }) => slot <= lastSlot);
    const timeS = await chain
      .read('getBlockTime', (node) => node.getBlockTime(lastSlot))
      .catch(() => null);
    const nowMs = timeS === null ? Date.now() : timeS * 1_000;
    const onChain = { treasury, facts, fromSlot, openingSlot };
    underWay += compareChain(onChain, { ledger, acceptable, accepted, nowMs, findings });
    transactions += facts.length;
    if (ledger.treasuries.at(-1)?.wallet === side.wallet && gaps.length === 0) {
      await compareObservations(work, side, unproven);
    }
  }
  const { signatures, ...sums } = accepted;
  return { ...looked, transactions, underWay, accepted: { count: signatures.size, ...sums } };
}

function firstOf(ledger: LedgerSide): number {
  const slots = ledgerTransactions(ledger).map(({ slot }) => slot);
  return slots.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

async function compareObservations(work: Work, side: Side, unproven: string[]): Promise<void> {
  const { ledger, lastSlot, findings, order, onProgress } = work;
  const newest = ledger.observations.at(-1);
  if (!newest) return;
  if (newest.slot === null) {
    compareUndated(newest, side, { ...work, unproven });
    return;
  }
  if (newest.slot > lastSlot + LAG_SLOTS_MAX) {
    const message = `the observed slot ${newest.slot} is ahead of the chain`;
    findings.add('treasury', newest.position, message);
  }
  let known = side;
  const slots = { firstSlot: side.completeFrom, lastSlot: lastSlot + LAG_SLOTS_MAX };
  for (let look = 1; ; look++) {
    const fault = findObservationFault(known, ledger, slots);
    if (!fault) return;
    if (!fault.isNewest || look === LISTED_LATE_READS) {
      findings.add('treasury', fault.position, fault.message);
      return;
    }
    await sleep(LISTED_LATE_MS);
    known = await readSide({ ...order, urls: order.urls ?? [], onProgress }, side);
  }
}

/** The opening of the local chain, and observations of the first builds, have no slot. Since the first one with a slot, all have one. */
function compareUndated(
  { position, tokenMinor }: LedgerSide['observations'][number],
  { moves, beginMinor }: Side,
  options: Pick<Work, 'ledger' | 'findings'> & { readonly unproven: string[] },
): void {
  const had = `had the observed ${toText('token', tokenMinor)}`;
  if (options.ledger.observations.some(({ slot }) => slot !== null)) {
    const message = 'the newest observation of the treasury has no slot';
    options.findings.add('treasury', position, message);
  } else if (
    beginMinor === tokenMinor ||
    moves.some(({ afterMinor }) => afterMinor === tokenMinor)
  ) {
    return;
  } else if (beginMinor > 0n)
    options.unproven.push(`the RPC no longer shows whether the treasury ${had}`);
  else options.findings.add('treasury', position, `the treasury never ${had}`);
}

/** Looks up everything that the ledger names: in the results of the scan, then by signature, newest first. */
async function compareLedger(
  { ledger, lastSlot, findings, order, onProgress }: Work,
  sides: readonly Side[],
  unproven: string[],
): Promise<Pick<ChainCompared, 'found' | 'older'>> {
  const seen = sides.map(({ facts }) => new Map(facts.map((fact) => [fact.signature, fact])));
  const missing: LedgerTransaction[] = [];
  let found = 0;
  for (const named of ledgerTransactions(ledger)) {
    const facts = sides.flatMap((side, index) => {
      const fact = seen[index]?.get(named.signature);
      return fact ? [{ fact, side }] : [];
    });
    if (facts.length === 0 && !isSignature(named.signature)) {
      findings.add(
        named.check,
        named.position,
        `${named.label} has no valid signature of a transaction`,
      );
    } else if (facts.length === 0) missing.push(named);
    else found += compareWith(named, facts, findings);
  }
  const wanted = order.all ? missing : missing.slice(0, LOOKED_UP_MAX);
  const [first] = sides;
  if (!first || wanted.length === 0) return { found, older: missing.length - wanted.length };
  let [forgotten, tooNew, unlisted] = [0, 0, 0];
  for (let at = 0; at < wanted.length; at += LOOKUPS_PER_BATCH) {
    const batch = wanted.slice(at, at + LOOKUPS_PER_BATCH);
    const names = batch.map(({ signature }) => signature);
    const responses = await first.chain.transactions(names);
    // Read after the lookup: a transaction forgotten meanwhile is not one that never existed.
    const forgottenBefore = await firstSlot(first.chain);
    for (const [index, named] of batch.entries()) {
      const transaction = responses[index];
      if (transaction) {
        const facts = sides.map((side) => ({
          fact: transferFact(transaction, side.treasury),
          side,
        }));
        found += compareWith(named, facts, findings);
        if (facts.some(({ fact, side }) => isUnlisted(fact, side, lastSlot))) unlisted++;
      } else if (named.slot < forgottenBefore) forgotten++;
      else if (named.slot > lastSlot && named.slot <= lastSlot + LAG_SLOTS_MAX) {
        tooNew++;
      } else {
        const message = `${named.label} ${named.signature} is not on the chain`;
        findings.add(named.check, named.position, message);
      }
    }
    onProgress({
      step: 'transactions of the ledger',
      done: at + batch.length,
      total: wanted.length,
    });
  }
  if (unlisted > 0) {
    unproven.push(`the RPC does not list ${unlisted} transactions of the treasury that it has`);
  }
  if (tooNew > 0) {
    unproven.push(`the RPC has not reached the slots of ${tooNew} transactions of the ledger`);
  }
  if (forgotten > 0) {
    unproven.push(`${forgotten} transactions of the ledger are older than the RPC's history`);
  }
  return { found, older: missing.length - wanted.length };
}

/** Whether a completed walk should have found it: if one is missing, others may be. */
function isUnlisted(fact: TransferFact, { gaps }: Side, lastSlot: number): boolean {
  return gaps.length === 0 && fact.slot <= lastSlot && concernsTreasury(fact);
}

/** A transaction may concern several treasuries: a match with one is enough. @returns 1, because it exists. */
function compareWith(
  named: LedgerTransaction,
  facts: readonly { readonly fact: TransferFact; readonly side: Side }[],
  findings: Findings,
): 1 {
  const fits =
    facts.find(({ fact, side }) => named.fault(fact, side.treasury) === null) ?? facts[0];
  if (fits) compareTransaction(named, { fact: fits.fact, treasury: fits.side.treasury }, findings);
  return 1;
}
