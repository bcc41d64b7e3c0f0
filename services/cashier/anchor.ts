/**
 * Anchors the roots of the seals on the chain, in memos of the treasury, where they cannot be rewritten.
 *
 *   sign -> send -> finalized on the chain -> append SealAnchored
 *
 * A memo moves no money, so only the event must be unique: its idempotency key and its decider ensure that. After a crash
 * before the append the next cashier sends another memo, at the cost of a fee.
 */
import { openClock } from '@reelbook/event-store/clock';
import { readNewest, readStream } from '@reelbook/event-store/read-stream';
import { createRootFold } from '@reelbook/games/fairness/merkle';
import { assert } from '@reelbook/ledger/assert';
import { SEALS_STREAM, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { ANCHOR_SEALS_MAX, type Anchor, anchorMemo } from '@reelbook/ledger/treasury/anchor';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { readConfig } from '@reelbook/payments/operator-actions';
import { endOf, isAbsent } from '@reelbook/solana/landing';
import { signMemo } from '@reelbook/solana/send-transfer';
import type { SignedTransfer } from '@reelbook/solana/transaction';
import type pg from 'pg';
import { providersNeeded } from './classify.ts';
import { type Cashier, metaOf } from './context.ts';

const SEALS_PER_READ = 1_000;

/** The sent memo. Losing it costs a fee. */
export interface Anchoring {
  sent: (Anchor & { readonly memo: SignedTransfer }) | null;
}

/** Follows the sent memo, or sends one if it is due. */
export async function anchorSeals(cashier: Cashier, anchoring: Anchoring): Promise<void> {
  if (cashier.anchorEveryMs === null || !cashier.signer) return;
  if (anchoring.sent) await follow(cashier, anchoring, anchoring.sent);
  else await send(cashier, anchoring);
}

async function send(cashier: Cashier, anchoring: Anchoring): Promise<void> {
  const { pool, chain, signer } = cashier;
  assert(signer, 'an anchoring cashier has the key of the treasury');
  const anchor = await findDue(cashier);
  if (!anchor) return;
  const { config } = await readConfig(pool);
  const { lamports } = await chain.treasury();
  // Withdrawals have priority over SOL.
  if (lamports < BigInt(config.withdraw.lowWaterLamports)) return;
  const memo = await signMemo(chain, { signer, memo: anchorMemo(anchor) });
  await cashier.at('memo-signed');
  anchoring.sent = { ...anchor, memo };
  await chain.send(memo.bytes);
  await cashier.at('memo-sent');
}

async function follow(
  cashier: Cashier,
  anchoring: Anchoring,
  { memo, ...anchor }: NonNullable<Anchoring['sent']>,
): Promise<void> {
  const { chain, log } = cashier;
  const status = await chain.status(memo);
  switch (status.kind) {
    case 'landed':
      return;
    case 'finalized':
    case 'failed': {
      const end = endOf(await chain.absence(memo), providersNeeded(cashier));
      if (!end) {
        // One provider alone may be wrong, or late.
        chain.turn();
        return;
      }
      if (end.kind === 'failed') {
        log.warn({ seal: anchor.seal, error: end.error }, 'the memo of a seal failed');
        break;
      }
      await cashier.at('memo-seen-final');
      await record(cashier, { ...anchor, signature: memo.signature, slot: end.slot });
      await cashier.at('anchor-recorded');
      break;
    }
    case 'unknown':
      if (status.canLand || !(await isOver(cashier, memo))) {
        await chain.send(memo.bytes);
        return;
      }
      log.warn({ seal: anchor.seal }, 'the memo of a seal did not land; sending another');
      break;
  }
  anchoring.sent = null;
}

/** Whether enough providers report that it has not landed and cannot land: each further memo costs a fee. */
async function isOver({ chain }: Cashier, memo: SignedTransfer): Promise<boolean> {
  const { nodes } = await chain.absence(memo);
  const over = nodes.filter(({ report }) => report === 'pruned' || isAbsent(report));
  const isEnough = new Set(over.map(({ provider }) => provider)).size >= providersNeeded({ chain });
  if (!isEnough) chain.turn();
  return isEnough;
}

async function record(
  { executor, pool, terms, log }: Cashier,
  anchored: Anchor & { readonly signature: string; readonly slot: number },
): Promise<void> {
  const { fromSeal, seal, signature } = anchored;
  const command = { type: 'AnchorSeal', ...anchored, wallet: terms.wallet } as const;
  const executed = await executor.execute({
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: `anchor:${fromSeal}`,
    // Without `seal`: a second cashier may see more seals.
    request: { fromSeal },
    meta: metaOf(`anchor-${fromSeal}`),
    async prepare() {
      const recorded = await readAnchor(pool, anchored);
      return { command: { ...command, recorded }, configVersion: null };
    },
  });
  assert(executed.kind === 'done', 'an anchor is never refused');
  if (!executed.replayed && executed.events.length > 0)
    log.info({ seal, transaction: signature }, 'anchored');
}

/** The seals since the last anchor if an anchor is due; else null. */
async function findDue({ pool, executor, anchorEveryMs }: Cashier): Promise<Anchor | null> {
  const { state } = await executor.currentState(treasuryDecider, TREASURY_STREAM);
  const fromSeal = state.anchoredSeal + 1;
  // Only observations of the treasury are newer in its stream.
  const last = await readNewest(pool, { stream: TREASURY_STREAM, type: 'SealAnchored' });
  const anchored = last?.event.type === 'SealAnchored' ? last.event.data.seal : 0;
  assert(anchored === state.anchoredSeal, 'the state of the treasury has the last anchor');
  if (last) {
    const dueMs = Date.parse(last.time) + (anchorEveryMs ?? 0);
    if ((await openClock(pool).nowMs()) < dueMs) return null;
  }
  return readAnchor(pool, { fromSeal, seal: state.anchoredSeal + ANCHOR_SEALS_MAX });
}

/** The anchor of the seals from `fromSeal` up to `seal`, or to the newest one, from their stream; null if there is none. */
export async function readAnchor(
  pool: pg.Pool,
  { fromSeal, seal: last }: Pick<Anchor, 'fromSeal' | 'seal'>,
): Promise<Anchor | null> {
  const tree = createRootFold();
  let newest = { seal: fromSeal - 1, root: '' };
  while (newest.seal < last) {
    const limit = Math.min(SEALS_PER_READ, last - newest.seal);
    const fromVersion = newest.seal + 1;
    const seals = await readStream(pool, { stream: SEALS_STREAM, fromVersion, limit });
    for (const { event } of seals) {
      assert(event.type === 'LedgerSealed', 'the stream of the seals has only seals');
      assert(event.data.seal === newest.seal + 1, 'seals have no gaps');
      newest = event.data;
      tree.push(Buffer.from(newest.root, 'hex'));
    }
    if (seals.length < limit) break;
  }
  if (newest.seal < fromSeal) return null;
  const sealsRoot = Buffer.from(tree.root()).toString('hex');
  return { fromSeal, seal: newest.seal, root: newest.root, sealsRoot };
}
