/**
 * The transactions of one address that audits have seen, stored in the auditor's own file: an attacker who can rewrite the
 * ledger's database must not decide where the scan starts. The transactions are stored with the cursor, because every audit
 * compares all of them with the current ledger. Lines are only appended; a line that a crash cut off is ignored.
 */
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
import type { TransferFact } from '@reelbook/solana/transfer-facts';

const FORMAT = 'reelbook-audit-chain-1';

/** The progress of the scan of an address. */
export interface Progress {
  /** The newest transaction scanned without a gap; null before the first walk ended. */
  readonly cursor: string | null;
  /** A walk from `head` back to the cursor that has reached `before`; null when there is none. */
  readonly walk: { readonly head: string; readonly before: string } | null;
  /** Completed walks. */
  readonly walks: number;
  /** The chain was complete from this slot on when the first walk ended; null until then. */
  readonly fromSlot: number | null;
}

const BEGINNING: Progress = { cursor: null, walk: null, walks: 0, fromSlot: null };

export interface ScanStore {
  readonly progress: Progress;
  /** In the order of the chain. */
  facts(): readonly TransferFact[];
  /** Newest first, as a page of the RPC brings them. */
  add(facts: readonly TransferFact[], progress: Progress): void;
}

interface Line {
  readonly progress: Progress;
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
  const take = (facts: readonly TransferFact[], next: Progress) => {
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
  try {
    const read = JSON.parse(line) as Line;
    return Array.isArray(read.facts) && read.progress ? read : null;
  } catch {
    return null;
  }
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
