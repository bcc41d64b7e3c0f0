import { DECIMALS } from '@reelbook/ledger/money';
import type { ChainSettings } from '@reelbook/runtime/chain-settings';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import { MintRefused } from '@reelbook/solana/mint';
import { type Chain, openChain } from '@reelbook/solana/rpc';
import type { GatewayChain } from './context.ts';

const FIRST_CHECK_TIMEOUT_MS = 5_000;

/**
 * Opens the configured chain. Throws StartError if its mint is refused. An RPC that does not respond does not prevent the
 * start: games do not need it, and the first use checks the mint again.
 */
export async function openRealChain(settings: ChainSettings, log: Logger): Promise<GatewayChain> {
  const { urls, mint, wallet, allow, network, publicRpcUrl } = settings;
  const chain = openChain({
    urls,
    mint,
    wallet,
    allow,
    decimals: DECIMALS.token,
    onTrouble: (trouble) => log.warn(trouble, 'RPC failed'),
  });
  await checkMint(chain, log);
  return { chain, network, publicRpcUrl, local: null };
}

async function checkMint(chain: Chain, log: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), FIRST_CHECK_TIMEOUT_MS);
  });
  try {
    const terms = await Promise.race([chain.terms(), late]);
    if (terms === null) log.warn('the chain responds slowly; its mint will be checked later');
    for (const warning of terms?.warnings ?? []) log.warn({ mint: terms?.mint }, warning);
  } catch (error) {
    if (error instanceof MintRefused) throw new StartError(error.message);
    log.warn({ err: error }, 'the chain is unreachable; its mint will be checked later');
  } finally {
    clearTimeout(timer);
  }
}
