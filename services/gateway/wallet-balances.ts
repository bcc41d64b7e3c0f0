import type { DataOf } from '@reelbook/contract/player/routes';
import { toNumber } from '@reelbook/ledger/money';
import type { Chain } from '@reelbook/solana/rpc';
import { LRUCache } from 'lru-cache';

/** A balance this young is answered without asking again. */
const FRESH_MS = 2_000;
/** The page waits no longer: then what was last known is answered. The question goes on for the next who asks. */
const PATIENCE_MS = 1_500;
const WALLETS_KNOWN_MAX = 20_000;
/** Questions on their way to the RPC at the same time; beyond, what is known is answered. */
const ASKED_MAX = 32;

export interface WalletBalances {
  read(wallet: string): Promise<DataOf<'walletBalance'>>;
}

/** Remembers balances of wallets on the chain, so that a slow or absent RPC slows no page. */
export function openWalletBalances(chain: Chain | null): WalletBalances {
  const known = new LRUCache<string, { minor: bigint; atMs: number }>({ max: WALLETS_KNOWN_MAX });
  const asked = new Map<string, Promise<unknown>>();
  const ask = (wallet: string, of: Chain) => {
    const running = asked.get(wallet);
    if (running) return running;
    if (asked.size >= ASKED_MAX) return Promise.resolve();
    const question = of
      .walletBalance(wallet)
      .then((minor) => known.set(wallet, { minor: minor ?? 0n, atMs: Date.now() }))
      // The chain's troubles are logged where they happen; here they only make the answer an old one.
      .catch(() => {})
      .finally(() => asked.delete(wallet));
    asked.set(wallet, question);
    return question;
  };
  const isFresh = (wallet: string) => Date.now() - (known.get(wallet)?.atMs ?? 0) <= FRESH_MS;
  return {
    async read(wallet) {
      if (chain && !isFresh(wallet)) await within(PATIENCE_MS, ask(wallet, chain));
      const one = known.get(wallet);
      return {
        wallet_address: wallet,
        balance: toNumber('token', one?.minor ?? 0n),
        stale: chain !== null && !isFresh(wallet),
        as_of: one ? new Date(one.atMs).toISOString() : null,
      };
    },
  };
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
