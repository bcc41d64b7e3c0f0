import { readHead } from '@reelbook/event-store/read-log';
import { loadState } from '@reelbook/event-store/read-stream';
import { assert } from '@reelbook/ledger/assert';
import { AMOUNT_MAX_MINOR } from '@reelbook/ledger/money';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { isRegistered } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import {
  addMovement,
  type Movement,
  moveScan,
  openScan,
  readScan,
  type Scan,
} from '@reelbook/payments/movements';
import { readReached } from '@reelbook/projections/projection';
import { withdrawals } from '@reelbook/projections/withdrawals/projection';
import { findWithdrawalSigned } from '@reelbook/projections/withdrawals/read';
import type { SignatureSeen } from '@reelbook/solana/rpc';
import { SIGNATURES_MAX } from '@reelbook/solana/rpc';
import type { ChainTransaction } from '@reelbook/solana/transaction';
import { type Verdict, verifyTransfer } from '@reelbook/solana/verify-transfer';
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

/**
 * The `before` signatures of the listed pages, from the newest to the oldest. The RPC lists newest first, the scan processes
 * oldest first, so a long list is walked back page by page. Lost with the lease, which repeats the walk.
 */
export interface Walk {
  readonly marks: string[];
}

/** An outflow without a known withdrawal, and the position that the read model must reach before it counts as the house's. */
export interface Outflow {
  waiting: { readonly signature: string; readonly position: number } | null;
}

/**
 * Processes the finalized transactions of the treasury's token account after the cursor, oldest first. Stores a movement
 * before the cursor passes its transaction, so a crash only repeats one transaction. The opening balance belongs to the
 * house.
 * @returns null if transactions remain after this round: the scan then does not explain the treasury's balance.
 */
export async function scan(
  cashier: Cashier,
  { outflow, walk }: { readonly outflow: Outflow; readonly walk: Walk },
  bounds: ScanBounds = BOUNDS,
): Promise<Scan | null> {
  const { pool, terms, chain } = cashier;
  const { tokenAccount } = terms;
  const known = await readScan(pool, tokenAccount);
  if (!known) {
    // An older build configured the treasury without opening the scan.
    const { tokenMinor, slot } = await chain.treasury();
    await openScan(pool, { tokenAccount, openingMinor: tokenMinor, slot });
    const opened = await readScan(pool, tokenAccount);
    assert(opened, 'an opened scan exists');
    return opened;
  }
  let left = bounds.signatures;
  for (let at: Scan = known; ; at = (await readScan(pool, tokenAccount)) ?? at) {
    const fresh = await listOldest(cashier, at, { walk, bounds });
    if (!fresh || left <= 0) return null;
    const some = fresh.slice(0, left);
    left -= some.length;
    if (!(await processAll(cashier, { scan: at, seen: some, outflow }))) break;
    if (some.length < fresh.length) return null;
    if (walk.marks.length === 0) break;
  }
  return (await readScan(pool, tokenAccount)) ?? known;
}

/** @returns false if one cannot be classified yet; later ones are not processed. */
async function processAll(
  cashier: Cashier,
  o: { readonly scan: Scan; readonly seen: readonly SignatureSeen[]; readonly outflow: Outflow },
): Promise<boolean> {
  const { chain, pool, terms } = cashier;
  for (let from = 0; from < o.seen.length; from += BATCH) {
    const some = o.seen.slice(from, from + BATCH);
    const wanted = some.filter(({ failed, slot }) => !failed && slot > o.scan.openingSlot);
    const names = wanted.map(({ signature }) => signature);
    const transactions = await chain.transactions(names, 'finalized');
    const found = new Map(names.map((name, index) => [name, transactions[index] ?? null]));
    for (const seen of some) {
      const transaction = found.get(seen.signature);
      if (transaction === null) {
        const { signature } = seen;
        cashier.log.warn(
          { transaction: signature },
          'a finalized transaction is not available yet',
        );
        return false;
      }
      if (transaction && !(await processOne(cashier, transaction, o.outflow))) return false;
      const { signature: cursor, slot } = seen;
      await moveScan(pool, terms.tokenAccount, { cursor, slot });
      await cashier.hold();
    }
  }
  return true;
}

/**
 * The oldest page of the transactions after the cursor, oldest first; null if this round does not reach it. A lagging node
 * may list known transactions too, which have no effect.
 */
async function listOldest(
  { chain }: Cashier,
  { cursor, openingSlot }: Scan,
  { walk, bounds }: { readonly walk: Walk; readonly bounds: ScanBounds },
): Promise<readonly SignatureSeen[] | null> {
  const { marks } = walk;
  for (let page = 0; page < bounds.pages; page++) {
    const before = marks.at(-1);
    // Only the first page uses `until`: a later page includes the cursor, so that it is never empty.
    const place = before ? { before } : cursor ? { until: cursor } : {};
    const more = await chain.signatures({ limit: bounds.pageSize, ...place });
    if (before && more.length === 0) {
      // Another node responds that does not know `before`. Treated as the end, it would hide transactions.
      throw new Error('the list of transactions ended early');
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
      await assertHistory(chain, cursor, more.at(-1));
      return [...more].reverse();
    }
    // The next page starts with the last one of this page: the cursor is there when this page is processed.
    marks.push(more.at(-2)?.signature ?? '');
  }
  return null;
}

/** Throws if the node's history starts after the cursor: transactions in between would be missed. */
async function assertHistory(
  chain: Cashier['chain'],
  cursor: string | null,
  oldest: SignatureSeen | undefined,
): Promise<void> {
  if (cursor === null || !oldest) return;
  const [before] = await chain.signatures({ limit: 1, before: oldest.signature });
  if (before?.signature !== cursor) {
    throw new Error('the history of this node does not reach the cursor');
  }
}

/** @returns false if it cannot be classified yet. */
async function processOne(
  cashier: Cashier,
  transaction: ChainTransaction,
  outflow: Outflow,
): Promise<boolean> {
  const { pool, terms } = cashier;
  const deltaMinor = deltaOf(transaction, terms);
  if (deltaMinor === 0n) return true;
  await cashier.at('movement-found');
  const { tokenAccount } = terms;
  const { signature, slot } = transaction;
  const at = { tokenAccount, signature, slot, deltaMinor };
  const movement =
    deltaMinor > 0n
      ? await arrived(cashier, at, verifyTransfer(transaction, terms))
      : await left(cashier, at, outflow);
  if (!movement) return false;
  await addMovement(pool, movement);
  await cashier.at('movement-added');
  return true;
}

type Place = Pick<Movement, 'tokenAccount' | 'signature' | 'slot' | 'deltaMinor'>;

/** A deposit of a registered sender, or an unmatched deposit. */
async function arrived(cashier: Cashier, at: Place, verdict: Verdict): Promise<Movement> {
  const unmatched = (sender: string | null, reason: string): Movement => {
    const kind = 'unmatched';
    return { ...at, kind, sender, reason, recorded: false };
  };
  if (verdict.kind === 'nothing') {
    cashier.log.error({ signature: at.signature, reason: verdict.reason }, 'an unexpected arrival');
    return unmatched(null, verdict.reason);
  }
  assert(verdict.amountMinor === at.deltaMinor, 'the credit equals the arrival');
  if (verdict.kind === 'unmatched') {
    const [sender = null, ...others] = verdict.senders;
    return unmatched(others.length > 0 ? null : sender, verdict.reason);
  }
  const { sender } = verdict;
  if (at.deltaMinor > AMOUNT_MAX_MINOR) return unmatched(sender, 'too-large');
  if (!(await isPlayer(cashier, sender))) return unmatched(sender, 'no-such-player');
  return { ...at, kind: 'deposit', sender, reason: null, recorded: false };
}

/**
 * A withdrawal, found by its signature, which is recorded before it is sent. If the read model has reached the head of the
 * first observation without the signature, the outflow is the house's and logged as an error. The position of the first
 * observation is kept, because under load the head is always ahead of the read model.
 */
async function left({ pool, log }: Cashier, at: Place, outflow: Outflow): Promise<Movement | null> {
  const { signature } = at;
  if (outflow.waiting?.signature !== signature) {
    outflow.waiting = { signature, position: (await readHead(pool)).position };
  }
  const reached = await readReached(pool, withdrawals);
  const withdrawal = await findWithdrawalSigned(pool, signature);
  if (withdrawal) {
    return { ...at, kind: 'withdrawal', sender: null, reason: withdrawal, recorded: true };
  }
  if (reached < outflow.waiting.position) return null;
  log.error({ ...at, deltaMinor: at.deltaMinor.toString() }, 'BSM left without a withdrawal');
  return {
    ...at,
    kind: 'other',
    sender: null,
    reason: 'left without a withdrawal',
    recorded: true,
  };
}

async function isPlayer({ pool }: Pick<Cashier, 'pool'>, wallet: string): Promise<boolean> {
  const { state } = await loadState(pool, playerDecider, playerStream(wallet));
  return isRegistered(state);
}

function deltaOf(
  { before, after, error }: ChainTransaction,
  { tokenAccount, mint }: { readonly tokenAccount: string; readonly mint: string },
): bigint {
  if (error !== null) return 0n;
  const held = (list: ChainTransaction['before']) =>
    list.find((one) => one.account === tokenAccount && one.mint === mint)?.amountMinor ?? 0n;
  return held(after) - held(before);
}
