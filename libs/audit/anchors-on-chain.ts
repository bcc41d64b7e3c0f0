import { loadTip } from '@reelbook/event-store/read-stream';
import { configDecider } from '@reelbook/ledger/config/decide';
import { DECIMALS } from '@reelbook/ledger/money';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { anchorMemo } from '@reelbook/ledger/treasury/anchor';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';
import type { AnchorInBook } from './anchors-pass.ts';
import type { Progress } from './audit.ts';
import type { Findings } from './findings.ts';

/** What was found: memos that are there, and those older than what the RPC remembers, of which nothing is known. */
export interface AnchorsCompared {
  readonly seen: number;
  readonly forgotten: number;
}

/** As `compareAnchors`, on the chain that those URLs reach; why not, where it cannot be asked. */
export async function lookUpAnchors(
  o: Omit<Parameters<typeof compareAnchors>[0], 'chain'> & {
    readonly pool: pg.Pool;
    readonly urls: readonly string[] | null;
  },
): Promise<AnchorsCompared | string> {
  if (!o.urls) return 'no SOLANA_RPC_URL is set';
  const { state } = await loadTip(o.pool, configDecider, CONFIG_STREAM);
  const { contract: mint, projectWallet: wallet } = state.config?.token ?? {};
  if (!mint || !wallet) return 'the book names no treasury';
  // Loaded only here: an audit without a chain stays a quick start.
  const { openChain } = await import('@reelbook/solana/rpc');
  const chain = openChain({ urls: o.urls, mint, wallet, decimals: DECIMALS.token });
  return compareAnchors({ ...o, chain }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ChainAway') return error.message;
    throw error;
  });
}

/**
 * Looks each anchor up on the chain: its transaction is final, did not fail, was signed by the treasury's wallet, in the
 * slot that the book names, and says this very memo. Throws `ChainAway` when no RPC answers.
 */
export async function compareAnchors(o: {
  readonly chain: Chain;
  readonly anchors: readonly AnchorInBook[];
  readonly findings: Findings;
  readonly onProgress: Progress;
}): Promise<AnchorsCompared> {
  const { chain, anchors, findings, onProgress } = o;
  let forgotten = 0;
  for (const [done, { position, data }] of anchors.entries()) {
    const found = await chain.transaction(data.signature, 'finalized');
    const fault = found ? findFault(found, data) : await missing(chain, data.slot);
    if (fault === 'forgotten') forgotten++;
    else if (fault) findings.add('anchors', position, fault);
    onProgress({ step: 'anchors', done: done + 1, total: anchors.length });
  }
  return { seen: anchors.length - forgotten, forgotten };
}

async function missing(chain: Chain, slot: number): Promise<string> {
  const first = await chain.read('getFirstAvailableBlock', (node) => node.getFirstAvailableBlock());
  return first > slot ? 'forgotten' : 'the chain has no such transaction as its anchor names';
}

function findFault(
  found: NonNullable<Awaited<ReturnType<Chain['transaction']>>>,
  data: AnchorInBook['data'],
): string | null {
  if (found.error !== null) return 'the transaction of its anchor failed on the chain';
  if (!found.signers.includes(data.wallet)) return 'its anchor was not signed by the treasury';
  if (found.slot !== data.slot) return `its anchor stands in slot ${found.slot}, not ${data.slot}`;
  const says = found.memos.includes(anchorMemo(data));
  return says ? null : 'the memo of its anchor says something else on the chain';
}
