import type { DataOf } from '@reelbook/contract/player/routes';
import { toNumber } from '@reelbook/ledger/money';
import { within } from '@reelbook/runtime/alarm';
import { LRUCache } from 'lru-cache';
import type { PlayersChain } from './limits.ts';

/** A balance younger than this is returned from the cache. */
const FRESH_MS = 2_000;
/** After this time the last known balance is returned; the query continues for later calls. */
const WAIT_MAX_MS = 1_500;
const WALLETS_KNOWN_MAX = 20_000;
/** Maximum concurrent RPC queries; beyond that, the last known balance is returned. */
const QUERIES_MAX = 32;

export interface WalletBalances {
  /** `by` is the player whose reads of the chain count; above the limit the last known balance is returned. */
  read(wallet: string, by: string): Promise<DataOf<'walletBalance'>>;
}

/** Caches wallet balances on the chain, so that a slow RPC does not slow down pages. */
export function openWalletBalances(chainFor: (by: string) => PlayersChain | null): WalletBalances {
  const known = new LRUCache<string, { minor: bigint; atMs: number }>({ max: WALLETS_KNOWN_MAX });
  const running = new Map<string, Promise<unknown>>();
  const query = (wallet: string, of: PlayersChain) => {
    const earlier = running.get(wallet);
    if (earlier) return earlier;
    if (running.size >= QUERIES_MAX) return Promise.resolve();
    const started = of
      .walletBalance(wallet)
      .then((minor) => known.set(wallet, { minor: minor ?? 0n, atMs: Date.now() }))
      // The chain client logs its errors; the cached balance becomes stale.
      .catch(() => {})
      .finally(() => running.delete(wallet));
    running.set(wallet, started);
    return started;
  };
  const isFresh = (wallet: string) => Date.now() - (known.get(wallet)?.atMs ?? 0) <= FRESH_MS;
  return {
    async read(wallet, by) {
      const chain = chainFor(by);
      if (chain && !isFresh(wallet)) await within(WAIT_MAX_MS, query(wallet, chain));
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
