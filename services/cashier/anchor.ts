/**
 * Anchors the roots of the seals on the chain, in memos of the treasury, where they cannot be rewritten.
 *
 *   sign -> send -> finalized on the chain -> append SealAnchored
 *
 * A memo moves no money, so only the event must be unique: its idempotency key and its decider ensure that. After a crash
 * before the append the next cashier sends another memo, at the cost of a fee.
 */
import { openClock } from '@reelbook/event-store/clock';
import { createRootFold } from '@reelbook/games/fairness/merkle';
import { assert } from '@reelbook/ledger/assert';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { ANCHOR_SEALS_MAX, type Anchor, anchorMemo } from '@reelbook/ledger/treasury/anchor';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { readAnchorOver, readSealRoots } from '@reelbook/projections/ledger-seals/read';
import { signMemo } from '@reelbook/solana/send-transfer';
import type { SignedTransfer } from '@reelbook/solana/transaction';
import { type Cashier, metaOf, readConfig } from './context.ts';

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
      await cashier.at('memo-seen-final');
      await record(cashier, { ...anchor, signature: memo.signature, slot: status.slot });
      await cashier.at('anchor-recorded');
      break;
    case 'failed':
      log.warn({ seal: anchor.seal, error: status.error }, 'the memo of a seal failed');
      break;
    case 'unknown':
      if (status.canLand) {
        await chain.send(memo.bytes);
        return;
      }
      log.warn({ seal: anchor.seal }, 'the memo of a seal did not land; sending another');
      break;
  }
  anchoring.sent = null;
}

async function record(
  { executor, terms, log }: Cashier,
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
    prepare: async () => ({ command, configVersion: null }),
  });
  assert(executed.kind === 'done', 'an anchor is never refused');
  if (!executed.replayed && executed.events.length > 0)
    log.info({ seal, transaction: signature }, 'anchored');
}

/** The seals since the last anchor if an anchor is due; else null. */
async function findDue({ pool, executor, anchorEveryMs }: Cashier): Promise<Anchor | null> {
  const { state } = await executor.currentState(treasuryDecider, TREASURY_STREAM);
  const fromSeal = state.anchoredSeal + 1;
  const seals = await readSealRoots(pool, { from: fromSeal, limit: ANCHOR_SEALS_MAX });
  const newest = seals.at(-1);
  if (!newest) return null;
  if (state.anchoredSeal > 0) {
    const last = await readAnchorOver(pool, state.anchoredSeal);
    // The read model lags: the due time is unknown.
    if (!last) return null;
    const dueMs = Date.parse(last.anchoredAt) + (anchorEveryMs ?? 0);
    if ((await openClock(pool).nowMs()) < dueMs) return null;
  }
  const tree = createRootFold();
  for (const [index, { seal, root }] of seals.entries()) {
    assert(seal === fromSeal + index, 'seals have no gaps');
    tree.push(Buffer.from(root, 'hex'));
  }
  const sealsRoot = Buffer.from(tree.root()).toString('hex');
  return { fromSeal, seal: newest.seal, root: newest.root, sealsRoot };
}
