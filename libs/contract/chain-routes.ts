import { paths } from './paths.ts';
import { FaucetGift, WalletBalance, WalletBalanceQuery } from './schemas/chain.ts';

/** The calls about the chain; part of `routes`. */
export const chainRoutes = {
  walletBalance: {
    ...paths.walletBalance,
    summary: 'BSM that a wallet holds on the chain',
    tag: 'wallet',
    query: WalletBalanceQuery,
    data: WalletBalance,
  },
  faucet: {
    ...paths.faucet,
    summary:
      "Play money for the player's wallet, on the local chain alone; nowhere else does this path exist",
    tag: 'wallet',
    data: FaucetGift,
  },
} as const;
