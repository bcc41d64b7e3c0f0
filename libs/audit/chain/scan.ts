import { type Chain, SIGNATURES_MAX } from '@reelbook/solana/rpc';
import { concernsTreasury, transferFact } from '@reelbook/solana/transfer-facts';
import type { Treasury } from '@reelbook/solana/verify-transfer';
import type { Progress as Report } from '../findings.ts';
import type { Kept } from './kept.ts';

/** Signatures that one audit goes through by default, of each address: strangers can make any number of them. */
export const SCANNED_MAX = 20_000;

export interface Scanned {
  /** Why what is kept is not all that the chain has; null when it is. */
  readonly lacks: string | null;
  readonly signatures: number;
}

/**
 * Goes through the final transactions of an address that are newer than the kept cursor, newest first, and keeps what
 * concerns the treasury. A page is kept before the next is asked for, so an audit that ends early, or whose bound is reached,
 * leaves less for the next one. Throws `ChainAway`.
 */
export async function scanAddress(o: {
  readonly chain: Chain;
  readonly treasury: Treasury;
  readonly address: string;
  readonly kept: Kept;
  /** The most signatures to go through. */
  readonly max: number;
  /** Of one page; as many as the RPC gives when not said. */
  readonly pageSize?: number;
  readonly onProgress: Report;
}): Promise<Scanned> {
  const { chain, kept, address, max, pageSize = SIGNATURES_MAX } = o;
  const step = `transactions of ${address.slice(0, 8)}`;
  let signatures = 0;
  // A walk that an earlier audit left is ended first, and then what is newer than it.
  let isNewest = kept.progress.walk === null;
  for (;;) {
    const { cursor, walk, walks, fromSlot } = kept.progress;
    const place = walk ? { before: walk.before } : {};
    const page = await chain.signatures({ address, limit: pageSize, ...place });
    if (walk && page.length === 0) await assertKnown(chain, walk.before);
    const end = cursor === null ? -1 : page.findIndex(({ signature }) => signature === cursor);
    const fresh = end < 0 ? page : page.slice(0, end);
    const facts = await readFacts(o, fresh);
    signatures += fresh.length;
    o.onProgress({ step, done: Math.min(signatures, max), total: max });
    const [head] = page;
    const last = fresh.at(-1);
    if (end >= 0 || page.length < pageSize) {
      // A list that ends without the cursor, an empty one too: what lies between them may be forgotten.
      if (end < 0 && cursor !== null) {
        kept.add(facts, { cursor, walk: null, walks, fromSlot });
        return {
          lacks: 'the RPC does not remember as far back as the last audit came',
          signatures,
        };
      }
      const newest = walk?.head ?? head?.signature ?? cursor;
      // Without a cursor the walk came to the beginning of what is remembered now.
      const from = cursor === null ? await firstSlot(chain) : fromSlot;
      kept.add(facts, { cursor: newest, walk: null, walks: walks + 1, fromSlot: from });
      if (isNewest) return { lacks: null, signatures };
      isNewest = true;
    } else if (last) {
      const next = { head: walk?.head ?? head?.signature ?? '', before: last.signature };
      kept.add(facts, { cursor, walk: next, walks, fromSlot });
    }
    if (signatures >= max) {
      return { lacks: `more than ${max} transactions to go through; run it again`, signatures };
    }
  }
}

/** Of successful ones: a failed one moved nothing. Throws for one that is listed and cannot be had. */
async function readFacts(
  { chain, treasury }: { readonly chain: Chain; readonly treasury: Treasury },
  seen: readonly { readonly signature: string; readonly failed: boolean }[],
) {
  const wanted = seen.filter(({ failed }) => !failed).map(({ signature }) => signature);
  const found = await chain.transactions(wanted, 'finalized');
  return found
    .map((transaction, index) => {
      if (transaction) return transferFact(transaction, treasury);
      throw new NotToBeHad(wanted[index] ?? '');
    })
    .filter(concernsTreasury);
}

/** A transaction that the RPC lists, and does not give. */
class NotToBeHad extends Error {
  override readonly name = 'NotToBeHad';
  constructor(signature: string) {
    super(`the RPC lists the transaction ${signature} and does not give it`);
  }
}

/** A node that does not know the last transaction of a page has nothing before it: that is no end of the list. */
async function assertKnown(chain: Chain, signature: string): Promise<void> {
  if (!(await chain.transaction(signature, 'finalized'))) throw new NotToBeHad(signature);
}

export function firstSlot(chain: Chain): Promise<number> {
  return chain.read('getFirstAvailableBlock', (node) => node.getFirstAvailableBlock());
}
