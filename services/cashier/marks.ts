/**
 * MARKS OUTSIDE POSTGRES of events that this ledger lacks, because it went back: the end of the stream of NATS, and the payments
 * and anchors that the treasury signed. While there is one that no `LedgerRestored` names, the cashier does not act: it would pay
 * again what was paid.
 */
import type { Bus } from '@reelbook/event-store/bus/bus';
import { streamKey } from '@reelbook/event-store/execution';
import { findLostEnd } from '@reelbook/event-store/known-head';
import { readHead } from '@reelbook/event-store/read-log';
import { foldedState } from '@reelbook/event-store/read-stream';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { Loss, LostAnchor, LostPayment } from '@reelbook/ledger/operators/loss';
import { restoresOf } from '@reelbook/ledger/operators/restores';
import { OPERATORS_STREAM, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { anchorMemo, readAnchorMemo } from '@reelbook/ledger/treasury/anchor';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { ChainAway } from '@reelbook/solana/nodes';
import { type Chain, isReports, openChain, SIGNATURES_MAX } from '@reelbook/solana/rpc';
import type { ChainTransaction } from '@reelbook/solana/transaction';
import { transferFact } from '@reelbook/solana/verify-transfer';
import type pg from 'pg';
import { readAnchor } from './anchor.ts';
import { findWithdrawal, providersNeeded } from './classify.ts';
import { SLOTS_AHEAD_MAX } from './observe.ts';

export interface Marked {
  readonly pool: pg.Pool;
  readonly chain: Chain;
  /** Null: without NATS. */
  readonly bus: Pick<Bus, 'lastStored'> | null;
}

/** What can show a mark. */
export type Sources = Pick<Marked, 'bus'> & { readonly urls: readonly string[] };

export interface Lost extends Pick<Loss, 'payments' | 'anchors'> {
  /** The end of the stream of NATS, if the ledger lacks that event. */
  readonly lostTo: number | null;
  /** Those that did not respond. */
  readonly unseen: Sources;
}

/** Compares each node, and NATS, once, and those that do not respond with the next call. Throws while the ledger lacks something. */
export function openMarks(marked: Marked): () => Promise<void> {
  let sources: Sources = { bus: marked.bus, urls: marked.chain.options.urls };
  return async () => {
    if (sources.bus === null && sources.urls.length === 0) return;
    const lost = await findLost(marked, sources);
    const lacks = describeLost(lost);
    if (lacks.length > 0) {
      const { position } = await readHead(marked.pool);
      const more = lacks.length === 1 ? '' : ` and ${lacks.length - 1} more`;
      throw new Error(
        `the ledger went back: it ends at #${position} and lacks ${lacks[0]}${more}; run npm run reelbook -- restored`,
      );
    }
    sources = lost.unseen;
  };
}

export function describeLost({ lostTo, payments, anchors }: Omit<Lost, 'unseen'>): string[] {
  return [
    ...(lostTo === null ? [] : [`#${lostTo} of NATS`]),
    ...payments.map(({ withdrawal, signature }) => `the payment of ${withdrawal}, ${signature}`),
    ...anchors.map(({ seal, signature }) => `the anchor of seal ${seal}, ${signature}`),
  ];
}

/** What is outside and neither in the ledger nor named by a restore. */
export async function findLost(marked: Marked, { bus, urls }: Sources): Promise<Lost> {
  const { pool, chain } = marked;
  const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
  const { lost: named } = restoresOf(state);
  // A failure of NATS stops no payment; the chain has all payments.
  const lostTo = await findLostEnd(pool, bus).catch(() => undefined);
  const away: string[] = [];
  const signed = new Map<string, ChainTransaction>();
  const { state: treasury } = await foldedState(pool, treasuryDecider, TREASURY_STREAM);
  for (const url of treasury.slot === undefined ? [] : urls) {
    try {
      for (const one of await readSigned(openNode(chain, url), pool)) {
        if (!Object.hasOwn(named, one.signature)) signed.set(one.signature, one);
      }
    } catch (error) {
      if (!(error instanceof ChainAway)) throw error;
      away.push(url);
    }
  }
  const inOrder = [...signed.values()].sort((a, b) => a.slot - b.slot);
  return {
    lostTo: lostTo?.position ?? null,
    payments: await lostPayments(marked, inOrder),
    anchors: await lostAnchors(marked, inOrder, treasury.anchoredSeal),
    unseen: { bus: lostTo === undefined ? bus : null, urls: away },
  };
}

const openNode = (chain: Chain, url: string) => openChain({ ...chain.options, urls: [url] });

/**
 * What the treasury signed since the ledger last observed it, as one node has it: what was lost is later than the last event. A
 * ledger without an observation has paid nothing. An observation far ahead was a node's mistake, and hides nothing.
 */
async function readSigned(node: Chain, pool: pg.Pool): Promise<readonly ChainTransaction[]> {
  const last = await node.read('getSlot', (one) => one.getSlot('finalized'));
  const { rows } = await pool.query<{ since: number }>(
    `select (body->'data'->>'slot')::int8 as since from public.events
      where stream = $1 and type = 'TreasuryObserved' and (body->'data'->>'slot')::int8 <= $2
      order by version desc limit 1`,
    [streamKey(TREASURY_STREAM), last + SLOTS_AHEAD_MAX],
  );
  const { since = 0 } = rows[0] ?? {};
  const { wallet } = node.options;
  const names: string[] = [];
  let place: { readonly before?: string } = {};
  for (let isEnd = false; !isEnd; ) {
    const listed = await node.signatures({ address: wallet, limit: SIGNATURES_MAX, ...place });
    const fresh = listed.filter(({ slot }) => slot > since);
    names.push(...fresh.filter(({ failed }) => !failed).map(({ signature }) => signature));
    isEnd = fresh.length < SIGNATURES_MAX;
    place = { before: listed.at(-1)?.signature ?? '' };
  }
  const found = await node.look(names);
  return found.flatMap((one) => (!isReports(one) && one.signers.includes(wallet) ? [one] : []));
}

/** `<public id of the player>-w<number>`. */
const WITHDRAWAL = /^\w{1,40}-w\d{1,9}$/;

async function lostPayments(
  { pool, chain }: Marked,
  signed: readonly ChainTransaction[],
): Promise<readonly LostPayment[]> {
  const terms = await chain.terms();
  const lost: LostPayment[] = [];
  for (const transaction of signed) {
    const { beforeMinor, afterMinor, receivers } = transferFact(transaction, terms);
    const { signature, memos } = transaction;
    const withdrawal = memos.find((memo) => WITHDRAWAL.test(memo));
    if (withdrawal === undefined || beforeMinor <= afterMinor) continue;
    if ((await findWithdrawal(pool, signature, memos)) !== null) continue;
    if (!(await isConfirmed(chain, transaction))) continue;
    const [to = ''] = receivers;
    lost.push({ signature, withdrawal, netMinor: beforeMinor - afterMinor, to });
  }
  return lost;
}

/**
 * Anchors follow each other, so those that were lost begin after the last one of the ledger. A memo that begins elsewhere is of
 * another ledger, and one that equals the ledger's own seals was sent and not recorded.
 */
async function lostAnchors(
  { pool, chain }: Marked,
  signed: readonly ChainTransaction[],
  anchoredSeal: number,
): Promise<readonly LostAnchor[]> {
  const begins = new Set([anchoredSeal + 1]);
  const lost: LostAnchor[] = [];
  for (const transaction of signed) {
    const { memos, signature } = transaction;
    for (const { fromSeal, seal, root } of memos.flatMap((memo) => readAnchorMemo(memo) ?? [])) {
      if (!begins.has(fromSeal)) continue;
      const own = await readAnchor(pool, { fromSeal, seal });
      const isOwn = own !== null && memos.includes(anchorMemo(own));
      if (!isOwn && !(await isConfirmed(chain, transaction))) continue;
      begins.add(seal + 1);
      if (!isOwn) lost.push({ signature, seal, root });
    }
  }
  return lost;
}

/**
 * Whether as many providers have it as a credit needs: one alone may invent it. Throws while a provider that lacks it may be late, or
 * keeps no transactions of its slot.
 */
async function isConfirmed(
  chain: Chain,
  { signature, message, slot }: ChainTransaction,
): Promise<boolean> {
  const have = new Set<string>();
  const perhaps = new Set<string>();
  for (const url of chain.options.urls) {
    const node = openNode(chain, url);
    // First: a block may become final between the two.
    const hasSlot = await keepsSlot(node, slot);
    for (const { provider, found } of await node.reports(signature)) {
      if (typeof found !== 'string') {
        if (found.message === message && found.error === null) have.add(provider);
      } else if (found !== 'none' || !hasSlot) perhaps.add(provider);
    }
  }
  const needed = providersNeeded({ chain });
  if (have.size >= needed) return true;
  if (new Set([...have, ...perhaps]).size < needed) return false;
  throw new ChainAway(
    `the treasury signed ${signature}, which the ledger lacks, and not all providers can confirm it`,
  );
}

async function keepsSlot(node: Chain, slot: number): Promise<boolean> {
  try {
    const first = await node.read('getFirstAvailableBlock', (one) => one.getFirstAvailableBlock());
    const last = await node.read('getSlot', (one) => one.getSlot('finalized'));
    return first <= slot && last >= slot;
  } catch {
    return false;
  }
}
