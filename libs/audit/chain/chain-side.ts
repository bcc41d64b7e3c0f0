import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DECIMALS } from '@reelbook/ledger/money';
import { readObject } from '@reelbook/ledger/text';
import { MINT_POWERS } from '@reelbook/solana/mint';
import { type Chain, openChain, SIGNATURES_MAX } from '@reelbook/solana/rpc';
import {
  concernsTreasury,
  type TransferFact,
  type Treasury,
  transferFact,
} from '@reelbook/solana/verify-transfer';
import type { Findings, Progress, Progress as Report } from '../findings.ts';
import type { LedgerSide, NamedTreasury } from './ledger-side.ts';

/**
 * The transactions of one address that audits have seen, stored in the auditor's own file: an attacker who can rewrite the
 * ledger's database must not decide where the scan starts. The transactions are stored with the cursor, because every audit
 * compares all of them with the current ledger. Lines are only appended; a line that a crash cut off is ignored.
 */

const FORMAT = 'reelbook-audit-chain-1';

/** The progress of the scan of an address. */
interface ScanProgress {
  /** The newest transaction scanned without a gap; null before the first walk ended. */
  readonly cursor: string | null;
  /** A walk from `head` back to the cursor that has reached `before`; null when there is none. */
  readonly walk: { readonly head: string; readonly before: string } | null;
  /** Completed walks. */
  readonly walks: number;
  /** The chain was complete from this slot on when the first walk ended; null until then. */
  readonly fromSlot: number | null;
}

const BEGINNING: ScanProgress = { cursor: null, walk: null, walks: 0, fromSlot: null };

interface ScanStore {
  readonly progress: ScanProgress;
  /** In the order of the chain. */
  facts(): readonly TransferFact[];
  /** Newest first, as a page of the RPC brings them. */
  add(facts: readonly TransferFact[], progress: ScanProgress): void;
}

interface Line {
  readonly progress: ScanProgress;
  readonly facts: readonly StoredFact[];
}
type StoredFact = Omit<TransferFact, 'beforeMinor' | 'afterMinor'> & {
  readonly beforeMinor: string;
  readonly afterMinor: string;
};

/** Opens the file of an address; without a writable folder, in memory only. */
export function openScanStore(
  folder: string | null,
  options: { readonly genesis: string; readonly address: string },
): ScanStore {
  const file = folder && join(folder, `${options.address}-${options.genesis.slice(0, 8)}.jsonl`);
  const head = JSON.stringify({ format: FORMAT, ...options });
  const found: { fact: TransferFact; walk: number; nth: number }[] = [];
  const known = new Set<string>();
  let progress = BEGINNING;
  const take = (facts: readonly TransferFact[], next: ScanProgress) => {
    for (const fact of facts) {
      if (known.has(fact.signature)) continue;
      known.add(fact.signature);
      found.push({ fact, walk: progress.walks, nth: found.length });
    }
    progress = next;
  };
  const [first, ...lines] = file && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const isOurs = first === head;
  for (const line of isOurs ? lines : []) {
    const read = parse(line);
    if (read) take(read.facts.map(restored), read.progress);
  }
  const write = file ? appender(file, isOurs ? null : head) : () => {};
  return {
    get progress() {
      return progress;
    },
    facts: () =>
      // A walk goes back in time, and a later walk is of newer transactions.
      found
        .toSorted((a, b) => a.fact.slot - b.fact.slot || a.walk - b.walk || b.nth - a.nth)
        .map(({ fact }) => fact),
    add(facts, next) {
      write({ progress: next, facts: facts.map(stored) });
      take(facts, next);
    },
  };
}

/** If a file cannot be written, the next audit repeats the same walk. */
function appender(file: string, head: string | null): (line: Line) => void {
  let begin = head;
  return (line) => {
    try {
      if (begin !== null) mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
      // A file of another format or chain starts again. A line break first: the last line may have been cut off.
      const descriptor = openSync(file, begin === null ? 'a' : 'w', 0o600);
      writeSync(descriptor, `${begin ?? ''}\n${JSON.stringify(line)}\n`);
      fsyncSync(descriptor);
      closeSync(descriptor);
      begin = null;
    } catch (error) {
      if (!NOT_WRITABLE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  };
}

const NOT_WRITABLE: readonly string[] = ['EROFS', 'EACCES', 'EPERM', 'ENOENT'];

function parse(line: string): Line | null {
  const read = readObject<Line>(line);
  return read?.progress && Array.isArray(read.facts) ? (read as Line) : null;
}

const stored = (fact: TransferFact): StoredFact => ({
  ...fact,
  beforeMinor: fact.beforeMinor.toString(),
  afterMinor: fact.afterMinor.toString(),
});
const restored = (fact: StoredFact): TransferFact => ({
  ...fact,
  beforeMinor: BigInt(fact.beforeMinor),
  afterMinor: BigInt(fact.afterMinor),
});

/** Signatures that one audit scans by default, per address: third parties can create any number of them. */
const SCANNED_MAX = 20_000;

interface Scanned {
  /** Why the stored transactions are incomplete; null when they are complete. */
  readonly gap: string | null;
  readonly signatures: number;
}

/**
 * Scans the final transactions of an address that are newer than the stored cursor, newest first, and stores those that
 * concern the treasury. A page is stored before the next is requested, so an audit that ends early, or reaches its limit,
 * leaves less for the next one. Throws `ChainAway`.
 */
export async function scanAddress(options: {
  readonly chain: Chain;
  readonly treasury: Treasury;
  readonly address: string;
  readonly kept: ScanStore;
  /** The most signatures to scan. */
  readonly max: number;
  /** Per page; default: the RPC's maximum. */
  readonly pageSize?: number;
  readonly onProgress: Report;
}): Promise<Scanned> {
  const { chain, kept, address, max, pageSize = SIGNATURES_MAX } = options;
  const step = `transactions of ${address.slice(0, 8)}`;
  let signatures = 0;
  // A walk that an earlier audit left is completed first, then newer transactions.
  let isNewest = kept.progress.walk === null;
  for (;;) {
    const { cursor, walk, walks, fromSlot } = kept.progress;
    const place = walk ? { before: walk.before } : {};
    const page = await chain.signatures({ address, limit: pageSize, ...place });
    if (walk && page.length === 0) await assertKnown(chain, walk.before);
    const end = cursor === null ? -1 : page.findIndex(({ signature }) => signature === cursor);
    const fresh = end < 0 ? page : page.slice(0, end);
    const facts = await readFacts(options, fresh);
    signatures += fresh.length;
    options.onProgress({ step, done: Math.min(signatures, max), total: max });
    const [head] = page;
    const last = fresh.at(-1);
    if (end >= 0 || page.length < pageSize) {
      // The list ended without the cursor, or is empty: transactions in between may be forgotten.
      if (end < 0 && cursor !== null) {
        kept.add(facts, { cursor, walk: null, walks, fromSlot });
        return {
          gap: "the RPC's history does not reach back to the last audit",
          signatures,
        };
      }
      const newest = walk?.head ?? head?.signature ?? cursor;
      // Without a cursor the walk reached the beginning of the RPC's history.
      const from = cursor === null ? await firstSlot(chain) : fromSlot;
      kept.add(facts, { cursor: newest, walk: null, walks: walks + 1, fromSlot: from });
      if (isNewest) return { gap: null, signatures };
      isNewest = true;
    } else if (last) {
      const next = { head: walk?.head ?? head?.signature ?? '', before: last.signature };
      kept.add(facts, { cursor, walk: next, walks, fromSlot });
    }
    if (signatures >= max) {
      return { gap: `more than ${max} transactions to scan; run the audit again`, signatures };
    }
  }
}

/** Of successful ones: a failed one moved nothing. Throws for one that is listed and not returned. */
async function readFacts(
  { chain, treasury }: { readonly chain: Chain; readonly treasury: Treasury },
  seen: readonly { readonly signature: string; readonly failed: boolean }[],
) {
  const wanted = seen.filter(({ failed }) => !failed).map(({ signature }) => signature);
  const found = await chain.transactions(wanted);
  return found
    .map((transaction, index) => {
      if (transaction) return transferFact(transaction, treasury);
      throw new TransactionUnavailable(wanted[index] ?? '');
    })
    .filter(concernsTreasury);
}

/** A transaction that the RPC lists and does not return. */
class TransactionUnavailable extends Error {
  override readonly name = 'TransactionUnavailable';
  constructor(signature: string) {
    super(`the RPC lists transaction ${signature} and does not return it`);
  }
}

/** A node that does not know the last transaction of a page lists nothing before it: that is no end of the list. */
async function assertKnown(chain: Chain, signature: string): Promise<void> {
  if (!(await chain.transaction(signature, 'finalized')))
    throw new TransactionUnavailable(signature);
}

export function firstSlot(chain: Chain): Promise<number> {
  return chain.read('getFirstAvailableBlock', (node) => node.getFirstAvailableBlock());
}

/** A treasury wallet as configured for the audit, from outside the ledger. */
export interface ConfiguredWallet {
  readonly wallet: string;
  /** Transactions signed before this slot were before this ledger. */
  readonly fromSlot: number | null;
}

/**
 * Compares the wallets of the ledger with the configured ones.
 * @returns why that proves less than it could; null when all were configured.
 */
export function compareWallets(
  named: readonly NamedTreasury[],
  given: readonly ConfiguredWallet[] | null,
  findings: Findings,
): string | null {
  if (given === null) {
    if (named.length === 0) return null;
    return 'TREASURY_WALLETS is not set: only the ledger names the wallets of the treasury';
  }
  for (const { wallet, position } of named) {
    if (given.some((one) => one.wallet === wallet)) continue;
    const message = `the ledger has the treasury ${wallet}, which TREASURY_WALLETS does not list`;
    findings.add('treasury', position, message);
  }
  if (named.length === 0 && given.length > 0) {
    findings.add('treasury', null, 'TREASURY_WALLETS is set, but the ledger has no treasury');
  }
  return null;
}

export function openAudited(
  urls: readonly string[],
  options: { readonly mint: string; readonly wallet: string },
) {
  // The cashier checks the mint's authorities; an audit reads it as it is.
  return openChain({ urls, ...options, decimals: DECIMALS.token, allow: MINT_POWERS });
}

interface Place {
  readonly mint: string;
  readonly wallet: string;
  readonly fromSlot: number;
}

/** Every wallet, configured or in the ledger, with every mint in the ledger. */
export function places(
  { treasuries }: LedgerSide,
  given: readonly ConfiguredWallet[],
): readonly Place[] {
  const all = new Set([...treasuries, ...given].map(({ wallet }) => wallet));
  return [...new Set(treasuries.map(({ mint }) => mint))].flatMap((mint) =>
    [...all].map((wallet) => {
      const fromSlot = given.find((one) => one.wallet === wallet)?.fromSlot ?? 0;
      return { mint, wallet, fromSlot };
    }),
  );
}

/** One treasury on the chain. */
export interface Side extends Place {
  readonly chain: Chain;
  readonly treasury: Treasury;
  readonly facts: readonly TransferFact[];
  /** Transactions of its token account, in the order of the chain: all that moved it. */
  readonly moves: readonly TransferFact[];
  /** The account's balance before the first of them. */
  readonly beginMinor: bigint;
  /** The slot from which the chain is complete. */
  readonly completeFrom: number;
  readonly gaps: readonly string[];
}

/** Scans new transactions, and returns all that are known. Throws `ChainAway`. */
export async function readSide(
  options: {
    readonly urls: readonly string[];
    readonly folder: string | null;
    readonly all: boolean;
    readonly onProgress: Progress;
  },
  place: Place,
): Promise<Side> {
  const { folder, onProgress } = options;
  const chain = openAudited(options.urls, place);
  const treasury = await chain.terms();
  const genesis = await chain.genesisHash();
  const max = options.all ? Number.POSITIVE_INFINITY : SCANNED_MAX;
  const gaps = new Set<string>();
  const facts = new Map<string, TransferFact>();
  let moves: readonly TransferFact[] = [];
  let completeFrom = 0;
  // Read before the list: if the list has no movement, this was the balance all the time.
  const { tokenMinor } = await chain.treasury();
  // The wallet has the transactions that it signed, its token account those of third parties.
  for (const address of [place.wallet, treasury.tokenAccount]) {
    const kept = openScanStore(folder, { genesis, address });
    const scanned = await scanAddress({ chain, treasury, address, kept, max, onProgress });
    if (scanned.gap) gaps.add(scanned.gap);
    completeFrom = Math.max(completeFrom, kept.progress.fromSlot ?? 0);
    const known = kept.facts();
    for (const fact of known) facts.set(fact.signature, fact);
    moves = known.filter(({ beforeMinor, afterMinor }) => beforeMinor !== afterMinor);
  }
  const beginMinor = moves[0]?.beforeMinor ?? tokenMinor;
  return {
    ...place,
    chain,
    treasury,
    facts: [...facts.values()],
    moves,
    beginMinor,
    completeFrom,
    gaps: [...gaps],
  };
}
