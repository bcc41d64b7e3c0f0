import { DECIMALS } from '@reelbook/ledger/money';
import type { ChainSettings } from '@reelbook/runtime/chain-settings';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import { MintRefused } from '@reelbook/solana/mint';
import { type Chain, openChain } from '@reelbook/solana/rpc';
import type { GatewayChain } from './context.ts';

const FIRST_LOOK_MS = 5_000;

/**
 * The chain that the settings name. Throws StartError when its mint is refused. An RPC that does not answer now ends no
 * start: the games need none, and the mint is looked at again by whoever asks for it first.
 */
export async function openRealChain(settings: ChainSettings, log: Logger): Promise<GatewayChain> {
  const { urls, mint, wallet, allow, network, publicRpcUrl } = settings;
  const chain = openChain({
    urls,
    mint,
    wallet,
    allow,
    decimals: DECIMALS.token,
    onTrouble: (trouble) => log.warn(trouble, 'an RPC failed'),
  });
  await lookAtMint(chain, log);
  return { chain, network, publicRpcUrl, local: null };
}

async function lookAtMint(chain: Chain, log: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), FIRST_LOOK_MS);
  });
  try {
    const terms = await Promise.race([chain.terms(), late]);
    if (terms === null) log.warn('the chain is slow; its mint is looked at later');
    for (const warning of terms?.warnings ?? []) log.warn({ mint: terms?.mint }, warning);
  } catch (error) {
    if (error instanceof MintRefused) throw new StartError(error.message);
    log.warn({ err: error }, 'the chain is away; its mint is looked at later');
  } finally {
    clearTimeout(timer);
  }
}
