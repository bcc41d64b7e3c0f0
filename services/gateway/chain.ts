import { CHAIN_PATH } from '@reelbook/contract/paths';
import type { SystemConfig } from '@reelbook/contract/player/configuration';
import type { DataOf } from '@reelbook/contract/player/routes';
import type { FaucetGift } from '@reelbook/contract/player/wallet';
import { Refused } from '@reelbook/http/refused';
import { readAddress } from '@reelbook/solana/keys';
import type { Gateway } from './context.ts';

export function readWalletBalance(
  gateway: Gateway,
  options: { readonly wallet: string; readonly requested: string | undefined },
): Promise<DataOf<'walletBalance'>> {
  const wallet = options.requested ?? options.wallet;
  if (!readAddress(wallet)) {
    const problem = 'wallet_address must be a Solana address: 32 bytes in base58';
    throw new Refused({ failed: 'bad-input', detail: { problem } });
  }
  return gateway.walletBalances.read(wallet, options.wallet);
}

export async function giveFromFaucet(gateway: Gateway, wallet: string): Promise<FaucetGift> {
  const local = gateway.chain?.local;
  // The route exists only on the local chain; this is a second check.
  if (!local) throw new Refused({ failed: 'not-found', detail: { what: 'there is no such path' } });
  const given = await local.faucet(wallet);
  if (!('waitS' in given)) return given;
  throw new Refused({ failed: 'faucet-used', detail: { minutes: given.minutes } }, given.waitS);
}

/** The chain in /config/system. */
export function chainAnswer({
  chain = null,
}: Pick<Gateway, 'chain'>): Pick<SystemConfig, 'network' | 'rpc_url' | 'faucet'> {
  return {
    network: chain?.network ?? null,
    rpc_url: chain?.local ? CHAIN_PATH : (chain?.publicRpcUrl ?? null),
    faucet: chain !== null && chain.local !== null,
  };
}
