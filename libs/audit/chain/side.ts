import { DECIMALS } from '@reelbook/ledger/money';
import { MINT_POWERS } from '@reelbook/solana/mint';
import { type Chain, openChain } from '@reelbook/solana/rpc';
import type { TransferFact } from '@reelbook/solana/transfer-facts';
import type { Treasury } from '@reelbook/solana/verify-transfer';
import type { Progress } from '../findings.ts';
import type { LedgerSide } from './ledger-side.ts';
import { SCANNED_MAX, scanAddress } from './scan.ts';
import { openScanStore } from './scan-store.ts';
import type { ConfiguredWallet } from './treasuries.ts';

export function openAudited(
  urls: readonly string[],
  options: { readonly mint: string; readonly wallet: string },
) {
  // The cashier checks the mint's authorities; an audit reads it as it is.
  return openChain({ urls, ...options, decimals: DECIMALS.token, allow: MINT_POWERS });
}

export interface Place {
  readonly mint: string;
  readonly wallet: string;
  readonly fromSlot: number;
}

/** Every wallet, configured or in the ledger, with every mint in the ledger. */
export function places(
  { treasuries }: LedgerSide,
  given: readonly ConfiguredWallet[],
): readonly Place[] {
  const all = new Set([...treasuries, ...given].map(({ wallet }) => wallet));
  return [...new Set(treasuries.map(({ mint }) => mint))].flatMap((mint) =>
    [...all].map((wallet) => {
      const fromSlot = given.find((one) => one.wallet === wallet)?.fromSlot ?? 0;
      return { mint, wallet, fromSlot };
    }),
  );
}

/** One treasury on the chain. */
export interface Side extends Place {
  readonly chain: Chain;
  readonly treasury: Treasury;
  readonly facts: readonly TransferFact[];
  /** Transactions of its token account, in the order of the chain: all that moved it. */
  readonly moves: readonly TransferFact[];
  /** The account's balance before the first of them. */
  readonly beginMinor: bigint;
  /** The slot from which the chain is complete. */
  readonly completeFrom: number;
  readonly gaps: readonly string[];
}

/** Scans new transactions, and returns all that are known. Throws `ChainAway`. */
export async function readSide(
  options: {
    readonly urls: readonly string[];
    readonly folder: string | null;
    readonly all: boolean;
    readonly onProgress: Progress;
  },
  place: Place,
): Promise<Side> {
  const { folder, onProgress } = options;
  const chain = openAudited(options.urls, place);
  const treasury = await chain.terms();
  const genesis = await chain.genesisHash();
  const max = options.all ? Number.POSITIVE_INFINITY : SCANNED_MAX;
  const gaps = new Set<string>();
  const facts = new Map<string, TransferFact>();
  let moves: readonly TransferFact[] = [];
  let completeFrom = 0;
  // Read before the list: if the list has no movement, this was the balance all the time.
  const { tokenMinor } = await chain.treasury();
  // The wallet has the transactions that it signed, its token account those of third parties.
  for (const address of [place.wallet, treasury.tokenAccount]) {
    const kept = openScanStore(folder, { genesis, address });
    const scanned = await scanAddress({ chain, treasury, address, kept, max, onProgress });
    if (scanned.gap) gaps.add(scanned.gap);
    completeFrom = Math.max(completeFrom, kept.progress.fromSlot ?? 0);
    const known = kept.facts();
    for (const fact of known) facts.set(fact.signature, fact);
    moves = known.filter(({ beforeMinor, afterMinor }) => beforeMinor !== afterMinor);
  }
  const beginMinor = moves[0]?.beforeMinor ?? tokenMinor;
  return {
    ...{ ...place, chain, treasury, facts: [...facts.values()], moves, beginMinor },
    ...{ completeFrom, gaps: [...gaps] },
  };
}
