import type { GatewayLocalChain } from '@reelbook/gateway/context';
import { toNumber, unit } from '@reelbook/ledger/money';
import type { LocalChain } from '@reelbook/solana/local-chain/api';
import { type LocalToken, mintTokens } from '@reelbook/solana/local-chain/token';

/** One gift: enough to deposit and exchange, and SOL for some hundred transactions. */
const GIFT_MINOR = 100n * unit('token');
const GIFT_LAMPORTS = 50_000_000n;
const LAMPORTS_A_SOL = 1e9;
/** A wallet gets one in this time... */
const EVERY_MS = 10 * 60_000;
/** ...and all wallets together so many in it: new wallets cost nothing. */
const GIFTS_MAX = 1_000;

/**
 * Play money of the local chain. It is made of the chain itself, in this process: there is no URL that could be another
 * chain's. The tokens are new ones, so that the treasury stays what the ledger says.
 */
export function openFaucet(
  local: LocalChain,
  token: LocalToken,
  now: () => number = Date.now,
): GatewayLocalChain['faucet'] {
  /** When each wallet was given something, oldest first; those of the last EVERY_MS alone. */
  const given = new Map<string, number>();
  return async (wallet) => {
    const timeMs = now();
    for (const [one, atMs] of given) if (atMs <= timeMs - EVERY_MS) given.delete(one);
    const oldest = given.values().next().value ?? timeMs;
    const lastMs = given.get(wallet) ?? (given.size >= GIFTS_MAX ? oldest : null);
    if (lastMs !== null) {
      const waitS = Math.ceil((lastMs + EVERY_MS - timeMs) / 1_000);
      return { waitS, minutes: EVERY_MS / 60_000 };
    }
    // Before it is given: two calls at once are one gift.
    given.set(wallet, timeMs);
    try {
      const hash = await mintTokens(local, token, {
        wallet,
        amountMinor: GIFT_MINOR,
        lamports: GIFT_LAMPORTS,
      });
      // A block passes, so that the gift is confirmed when its player hears of it and deposits at once.
      local.advance(1);
      return {
        wallet_address: wallet,
        amount: toNumber('token', GIFT_MINOR),
        sol: Number(GIFT_LAMPORTS) / LAMPORTS_A_SOL,
        tx_hash: hash,
        next_at: new Date(timeMs + EVERY_MS).toISOString(),
      };
    } catch (error) {
      given.delete(wallet);
      throw error;
    }
  };
}
