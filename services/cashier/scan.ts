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

/** What one round lists and goes through at most; the next one goes on from there, so that payments wait for no spam. */
export interface ScanBounds {
  readonly pageSize: number;
  readonly pages: number;
  readonly signatures: number;
}
const BOUNDS: ScanBounds = { pageSize: SIGNATURES_MAX, pages: 100, signatures: 2_000 };
/** Transactions asked for together. */
const TOGETHER = 25;

/**
 * Behind which signatures the pages begin that are older than the newest one, in that order. The list comes newest first
 * and is gone through oldest first, so a long one is walked back page by page. Lost with the lease, at the cost of that walk.
 */
export interface Walk {
  readonly marks: string[];
}

/** An outflow that no withdrawal explains yet, and how far the read model must come before it is the house's. */
export interface Outflow {
  waiting: { readonly signature: string; readonly position: number } | null;
}

/**
 * Goes through the finalized transactions of the treasury's token account that are newer than the cursor, oldest first.
 * Each one's movement is written down before the cursor passes it, so a crash means that one is looked at twice.
 * Begins with what the account held when the ledger was given its treasury: that is the house's own.
 * @returns null while there is more than one round goes through, for then nothing explains what the treasury holds.
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
    // A ledger that was given its treasury by a build that left the beginning to us.
    const { tokenMinor, slot } = await chain.treasury();
    await openScan(pool, { tokenAccount, openingMinor: tokenMinor, slot });
    const opened = await readScan(pool, tokenAccount);
    assert(opened, 'a scan that was opened is there');
    return opened;
  }
  let left = bounds.signatures;
  for (let at: Scan = known; ; at = (await readScan(pool, tokenAccount)) ?? at) {
    const fresh = await listOldest(cashier, at, { walk, bounds });
    if (!fresh || left <= 0) return null;
    const some = fresh.slice(0, left);
    left -= some.length;
    if (!(await goThroughAll(cashier, { scan: at, seen: some, outflow }))) break;
    if (some.length < fresh.length) return null;
    if (walk.marks.length === 0) break;
  }
  return (await readScan(pool, tokenAccount)) ?? known;
}

/** @returns false when one of them cannot be judged yet: then none behind it is. */
async function goThroughAll(
  cashier: Cashier,
  o: { readonly scan: Scan; readonly seen: readonly SignatureSeen[]; readonly outflow: Outflow },
): Promise<boolean> {
  const { chain, pool, terms } = cashier;
  for (let from = 0; from < o.seen.length; from += TOGETHER) {
    const some = o.seen.slice(from, from + TOGETHER);
    const wanted = some.filter(({ failed, slot }) => !failed && slot > o.scan.openingSlot);
    const names = wanted.map(({ signature }) => signature);
    const answers = await chain.transactions(names, 'finalized');
    const found = new Map(names.map((name, index) => [name, answers[index] ?? null]));
    for (const seen of some) {
      const transaction = found.get(seen.signature);
      if (transaction === null) {
        const { signature } = seen;
        cashier.log.warn(
          { transaction: signature },
          'a finalized transaction is not to be had yet',
        );
        return false;
      }
      if (transaction && !(await goThrough(cashier, transaction, o.outflow))) return false;
      const { signature: cursor, slot } = seen;
      await moveScan(pool, terms.tokenAccount, { cursor, slot });
      await cashier.hold();
    }
  }
  return true;
}

/**
 * The oldest page of what is newer than the cursor, oldest first; null when this round does not get so far back. A node that
 * lags behind the cursor brings more than is new: what is known changes nothing.
 */
async function listOldest(
  { chain }: Cashier,
  { cursor, openingSlot }: Scan,
  { walk, bounds }: { readonly walk: Walk; readonly bounds: ScanBounds },
): Promise<readonly SignatureSeen[] | null> {
  const { marks } = walk;
  for (let page = 0; page < bounds.pages; page++) {
    const before = marks.at(-1);
    // Only the first page ends at the cursor unseen: the others go past it, so that one always brings something.
    const place = before ? { before } : cursor ? { until: cursor } : {};
    const more = await chain.signatures({ limit: bounds.pageSize, ...place });
    if (before && more.length === 0) {
      // Another node answers, which does not know where to go on. Taken for the end, it would hide what lies between.
      throw new Error('the list of transactions broke off in the middle');
    }
    const end = more.findIndex(
      ({ signature, slot }) => signature === cursor || slot <= openingSlot,
    );
    if (end === 0 && before) {
      marks.pop(); // all of this page is gone through
      continue;
    }
    if (end >= 0) return more.slice(0, end).reverse();
    if (more.length < bounds.pageSize) {
      await assertRemembered(chain, cursor, more.at(-1));
      return [...more].reverse();
    }
    // The page behind it begins with the last one of this: the cursor will stand there when this page's turn comes.
    marks.push(more.at(-2)?.signature ?? '');
  }
  return null;
}

/** A node that has forgotten the cursor begins where its memory does, and says nothing of what lies between. */
async function assertRemembered(
  chain: Cashier['chain'],
  cursor: string | null,
  oldest: SignatureSeen | undefined,
): Promise<void> {
  if (cursor === null || !oldest) return;
  const [before] = await chain.signatures({ limit: 1, before: oldest.signature });
  if (before?.signature !== cursor) {
    throw new Error('this node does not remember as far as the cursor');
  }
}

/** @returns false when it cannot be judged yet. */
async function goThrough(
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

/** A player's own deposit, or one for the queue. The chain's verdict decides, and whether the sender is a player. */
async function arrived(cashier: Cashier, at: Place, verdict: Verdict): Promise<Movement> {
  const unmatched = (sender: string | null, reason: string): Movement => {
    const kind = 'unmatched';
    return { ...at, kind, sender, reason, recorded: false };
  };
  if (verdict.kind === 'nothing') {
    cashier.log.error({ signature: at.signature, reason: verdict.reason }, 'an odd arrival');
    return unmatched(null, verdict.reason);
  }
  assert(verdict.amountMinor === at.deltaMinor, 'what is credited is what arrived');
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
 * A withdrawal, by its signature, which stood in the ledger before anybody could send it. Only when the read model has
 * come as far as the ledger was when we first saw it can an outflow be none: then it is the house's, and told aloud. The
 * place is remembered, for under load the head is always a little further than the read model.
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
  log.error({ ...at, deltaMinor: at.deltaMinor.toString() }, 'BSM left by no withdrawal');
  return { ...at, kind: 'other', sender: null, reason: 'left by no withdrawal', recorded: true };
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
