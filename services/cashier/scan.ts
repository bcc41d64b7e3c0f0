import {
  addMovement,
  moveScan,
  openScan,
  readScan,
  type Scan,
  setAside,
} from '@reelbook/payments/movements';
import { isReports, openChain, SIGNATURES_MAX, type SignatureSeen } from '@reelbook/solana/rpc';
import { type ChainTransaction, isSignature } from '@reelbook/solana/transaction';
import { classify, isAllAway } from './classify.ts';
import type { Cashier } from './context.ts';

/** Limits of one round. The next round continues, so that many transactions do not delay payments. */
export interface ScanBounds {
  readonly pageSize: number;
  readonly pages: number;
  readonly signatures: number;
}
const BOUNDS: ScanBounds = { pageSize: SIGNATURES_MAX, pages: 100, signatures: 2_000 };
/** Transactions per request. */
const BATCH = 25;
/** Pages of one walk: half a million transactions after the cursor. A longer list is that of a node that never ends. */
const MARKS_MAX = 500;

/**
 * The `before` signatures of the listed pages, from the newest to the oldest. The RPC lists newest first, the scan processes
 * oldest first, so a long list is walked back page by page. Lost with the lease, which repeats the walk.
 */
export interface Walk {
  readonly marks: string[];
}

/** What a scan needs of the cashier. */
export type Scanner = Pick<Cashier, 'pool' | 'chain' | 'terms' | 'log' | 'hold' | 'at'>;

/**
 * Processes the finalized transactions of the treasury's token account after the cursor, oldest first. Stores a movement
 * before the cursor passes its transaction, so a crash only repeats one transaction. The opening balance belongs to the
 * house.
 * @returns null if transactions remain after this round: the scan then does not explain the treasury's balance.
 */
export async function scan(
  cashier: Scanner,
  walk: Walk,
  bounds: ScanBounds = BOUNDS,
): Promise<Scan | null> {
  const { pool, terms, chain } = cashier;
  const { tokenAccount } = terms;
  if (!(await readScan(pool, tokenAccount))) {
    // An older build configured the treasury without opening the scan.
    const { tokenMinor, slot } = await chain.treasury();
    await openScan(pool, { tokenAccount, openingMinor: tokenMinor, slot });
  }
  const known = await readScan(pool, tokenAccount);
  if (!known)
    throw new Error('the row of treasury_scans was deleted: insert it again (docs/operations.md)');
  const passed = ({ signature: cursor, slot }: SignatureSeen) =>
    moveScan(pool, tokenAccount, { cursor, slot });
  try {
    // Nodes refuse a cursor that is no signature: all since the opening is processed again.
    const isUsable = known.cursor !== null && isSignature(known.cursor);
    const at = isUsable ? known : { ...known, cursor: null };
    return await walkOn(cashier, { at, walk, passed }, bounds);
  } catch (error) {
    // What this node listed may be wrong; the next round asks another one.
    chain.turn();
    throw error;
  }
}

/** A walk over the complete list again, in parallel to the scan and without its cursor, as one node lists it. */
export interface Rescan {
  readonly scanner: Scanner;
  readonly walk: Walk;
  at: Scan;
}

/** The limits of one round of a rescan are lower, so that it does not delay the scan. */
const RESCAN_BOUNDS: ScanBounds = { pageSize: SIGNATURES_MAX, pages: 10, signatures: 250 };

/** Starts a walk from the opening. Only its list is of that node: a node that omits a transaction may be another one. */
export async function startRescan(cashier: Scanner, url: string): Promise<Rescan | null> {
  const { pool, chain, terms } = cashier;
  const known = await readScan(pool, terms.tokenAccount);
  const { signatures } = openChain({ ...chain.options, urls: [url] });
  const scanner = { ...cashier, chain: { ...chain, signatures } };
  return known && { scanner, walk: { marks: [] }, at: { ...known, cursor: null } };
}

/** Adds what is missing and corrects what differs. @returns the newest place if the walk is complete, else null. */
export async function rescan(
  again: Rescan,
  bounds: ScanBounds = RESCAN_BOUNDS,
): Promise<Scan | null> {
  const { walk, at } = again;
  const passed = async ({ signature: cursor, slot: reachedSlot }: SignatureSeen) => {
    again.at = { ...again.at, cursor, reachedSlot };
  };
  return walkOn(again.scanner, { at, walk, passed }, bounds);
}

interface Way {
  readonly at: Scan;
  readonly walk: Walk;
  /** Stores that a transaction is processed. */
  passed(seen: SignatureSeen): Promise<void>;
}

async function walkOn(cashier: Scanner, way: Way, bounds: ScanBounds): Promise<Scan | null> {
  let { at } = way;
  let left = bounds.signatures;
  for (;;) {
    const fresh = await listOldest(cashier, at, { walk: way.walk, bounds });
    if (!fresh || left <= 0) return null;
    const some = fresh.slice(0, left);
    left -= some.length;
    await processAll(cashier, some, way);
    const last = some.at(-1);
    if (last)
      at = { ...at, cursor: last.signature, reachedSlot: Math.max(at.reachedSlot, last.slot) };
    if (some.length < fresh.length) return null;
    if (way.walk.marks.length === 0) return at;
  }
}

async function processAll(
  cashier: Scanner,
  seen: readonly SignatureSeen[],
  { at, passed }: Way,
): Promise<void> {
  for (let from = 0; from < seen.length; from += BATCH) {
    const some = seen.slice(from, from + BATCH);
    const wanted = some.filter(({ failed, slot }) => !failed && slot > at.openingSlot);
    const names = wanted.map(({ signature }) => signature);
    const found = await cashier.chain.look(names);
    const looked = new Map(names.map((name, index) => [name, found[index]]));
    for (const one of some) {
      const transaction = looked.get(one.signature);
      if (transaction && isReports(transaction)) {
        if (isAllAway(transaction)) throw new Error('no RPC answered for a listed transaction');
        await setOneAside(cashier, one);
        await passed(one);
      } else if (transaction) {
        await processOne(cashier, transaction);
        await passed({ ...one, slot: transaction.slot });
      } else await passed(one);
      await cashier.hold();
    }
  }
}

/** It must not block those after it: an attacker, or one gap of all nodes, would stop every deposit. */
async function setOneAside(
  { pool, terms, log }: Scanner,
  { signature, slot }: SignatureSeen,
): Promise<void> {
  const { tokenAccount } = terms;
  const isNew = await setAside(pool, { tokenAccount, signature, slot });
  if (isNew) log.error({ transaction: signature, slot }, 'a listed transaction cannot be read');
}

async function processOne(cashier: Scanner, transaction: ChainTransaction): Promise<void> {
  const movement = await classify(cashier, transaction);
  if (!movement) return;
  await cashier.at('movement-found');
  if (await addMovement(cashier.pool, movement)) await cashier.at('movement-added');
}

/**
 * The oldest page of the transactions after the cursor, oldest first; null if this round does not reach it. A lagging node
 * may list known transactions too, which have no effect.
 */
async function listOldest(
  { chain }: Scanner,
  { cursor, openingSlot }: Scan,
  { walk, bounds }: { readonly walk: Walk; readonly bounds: ScanBounds },
): Promise<readonly SignatureSeen[] | null> {
  const { marks } = walk;
  let isRestarted = false;
  for (let page = 0; page < bounds.pages; page++) {
    const before = marks.at(-1);
    // Only the first page uses `until`: a later page includes the cursor, so that it is never empty.
    const place = before ? { before } : cursor ? { until: cursor } : {};
    const more = await chain.signatures({ limit: bounds.pageSize, ...place });
    if (before && more.length === 0) {
      // Another node responds that does not know `before`. Treated as the end, it would hide transactions.
      marks.length = 0;
      if (isRestarted) throw new Error('the list of transactions ended early');
      // The marks may be those of the node before: the same one lists from the beginning.
      isRestarted = true;
      continue;
    }
    const end = more.findIndex(
      ({ signature, slot }) => signature === cursor || slot <= openingSlot,
    );
    if (end === 0 && before) {
      marks.pop(); // the page is processed
      continue;
    }
    if (end >= 0) return more.slice(0, end).reverse();
    if (more.length < bounds.pageSize) {
      await assertHistory(chain, { cursor, openingSlot }, more.at(-1));
      return [...more].reverse();
    }
    if (marks.length >= MARKS_MAX) {
      marks.length = 0;
      throw new Error(`the list of transactions has more than ${MARKS_MAX} pages`);
    }
    // The next page starts with the last one of this page: the cursor is there when this page is processed.
    marks.push(more.at(-2)?.signature ?? '');
  }
  return null;
}

/** Throws if the node's history starts after the cursor: transactions in between would be missed. */
async function assertHistory(
  chain: Scanner['chain'],
  { cursor, openingSlot }: Pick<Scan, 'cursor' | 'openingSlot'>,
  oldest: SignatureSeen | undefined,
): Promise<void> {
  if (cursor === null || !oldest) return;
  const [before] = await chain.signatures({ limit: 1, before: oldest.signature });
  if (before?.signature === cursor) return;
  // A cursor that no honest node lists: all since the opening is processed again.
  if (!before && (await firstSlot(chain)) <= openingSlot) return;
  throw new Error('the history of this node does not reach the cursor');
}

const firstSlot = (chain: Scanner['chain']) =>
  chain.read('getFirstAvailableBlock', (node) => node.getFirstAvailableBlock());
