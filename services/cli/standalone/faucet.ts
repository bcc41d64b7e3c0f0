import type { GatewayLocalChain } from '@reelbook/gateway/context';
import { toNumber, unit } from '@reelbook/ledger/money';
import type { LocalChain } from '@reelbook/solana/local-chain/api';
import { type LocalToken, mintTokens } from '@reelbook/solana/local-chain/token';

/** One payment: enough to deposit and exchange, and SOL for some hundred transactions. */
const PAYMENT_MINOR = 100n * unit('token');
const PAYMENT_LAMPORTS = 50_000_000n;
const LAMPORTS_A_SOL = 1e9;
/** A wallet gets one payment in this time. */
const EVERY_MS = 10 * 60_000;
/** Limit of all wallets together in this time, because new wallets cost nothing. */
const PAYMENTS_MAX = 1_000;

/**
 * Play money of the local chain. Mints in this process, without a URL, so it can never pay on another chain. Mints new
 * tokens, so that the treasury's balance matches the ledger.
 */
export function openFaucet(
  local: LocalChain,
  token: LocalToken,
  now: () => number = Date.now,
): GatewayLocalChain['faucet'] {
  /** The time of each wallet's last payment, oldest first, within EVERY_MS. */
  const given = new Map<string, number>();
  return async (wallet) => {
    const timeMs = now();
    for (const [one, atMs] of given) if (atMs <= timeMs - EVERY_MS) given.delete(one);
    const oldest = given.values().next().value ?? timeMs;
    const lastMs = given.get(wallet) ?? (given.size >= PAYMENTS_MAX ? oldest : null);
    if (lastMs !== null) {
      const waitS = Math.ceil((lastMs + EVERY_MS - timeMs) / 1_000);
      return { waitS, minutes: EVERY_MS / 60_000 };
    }
    // Before the payment: two concurrent calls make one payment.
    given.set(wallet, timeMs);
    try {
      const hash = await mintTokens(local, token, {
        wallet,
        amountMinor: PAYMENT_MINOR,
        lamports: PAYMENT_LAMPORTS,
      });
      // One block, so that the payment is confirmed when the player receives the response.
      local.advance(1);
      return {
        wallet_address: wallet,
        amount: toNumber('token', PAYMENT_MINOR),
        sol: Number(PAYMENT_LAMPORTS) / LAMPORTS_A_SOL,
        tx_hash: hash,
        next_at: new Date(timeMs + EVERY_MS).toISOString(),
      };
    } catch (error) {
      given.delete(wallet);
      throw error;
    }
  };
}
