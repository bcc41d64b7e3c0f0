import { CHAIN_PATH } from '@reelbook/contract/paths';
import type { DataOf } from '@reelbook/contract/routes';
import type { FaucetGift } from '@reelbook/contract/schemas/chain';
import type { SystemConfig } from '@reelbook/contract/schemas/config';
import { toNumber } from '@reelbook/ledger/money';
import { readAddress } from '@reelbook/solana/keys';
import type { Chain } from '@reelbook/solana/rpc';
import { LRUCache } from 'lru-cache';
import { type Gateway, Refused } from './context.ts';

/** The chain as a gateway has it. */
export interface GatewayChain {
  readonly chain: Chain;
  readonly network: string;
  /** What browsers ask; null for nothing. Not used on the local chain, which is asked through this gateway. */
  readonly publicRpcUrl: string | null;
  /** Of the local chain alone: null with any other, and then neither path exists. */
  readonly local: LocalDoors | null;
}

export interface LocalDoors {
  readonly rpcUrl: string;
  /** Gives play money, or says when it will again. */
  faucet(
    wallet: string,
  ): Promise<FaucetGift | { readonly waitS: number; readonly minutes: number }>;
}

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

export function readWalletBalance(
  gateway: Gateway,
  o: { readonly wallet: string; readonly asked: string | undefined },
): Promise<DataOf<'walletBalance'>> {
  const wallet = o.asked ?? o.wallet;
  if (!readAddress(wallet)) {
    const problem = 'wallet_address must be an address of Solana: 32 bytes in base58';
    throw new Refused({ failed: 'bad-input', detail: { problem } });
  }
  return gateway.walletBalances.read(wallet);
}

export async function giveFromFaucet(gateway: Gateway, wallet: string): Promise<FaucetGift> {
  const local = gateway.chain?.local;
  // The route is open on the local chain alone; this is the second lock.
  if (!local) throw new Refused({ failed: 'not-found', detail: { what: 'there is no such path' } });
  const given = await local.faucet(wallet);
  if (!('waitS' in given)) return given;
  throw new Refused({ failed: 'faucet-used', detail: { minutes: given.minutes } }, given.waitS);
}

/** What /config/system says of the chain. */
export function chainAnswer({
  chain = null,
}: Pick<Gateway, 'chain'>): Pick<SystemConfig, 'network' | 'rpc_url' | 'faucet'> {
  return {
    network: chain?.network ?? null,
    rpc_url: chain?.local ? CHAIN_PATH : (chain?.publicRpcUrl ?? null),
    faucet: chain !== null && chain.local !== null,
  };
}
