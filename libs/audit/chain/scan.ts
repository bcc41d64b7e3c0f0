import { type Chain, SIGNATURES_MAX } from '@reelbook/solana/rpc';
import { concernsTreasury, transferFact } from '@reelbook/solana/transfer-facts';
import type { Treasury } from '@reelbook/solana/verify-transfer';
import type { Progress as Report } from '../findings.ts';
import type { ScanStore } from './scan-store.ts';

/** Signatures that one audit scans by default, per address: third parties can create any number of them. */
export const SCANNED_MAX = 20_000;

export interface Scanned {
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
