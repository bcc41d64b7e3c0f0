import { type BrowserWallet, connect, WalletError } from '@reelbook/web/wallets/browser-wallet';
import { keptWallet } from '@reelbook/web/wallets/wallets';
import { abortable } from '../../lib/abortable.ts';

/** This browser does not have the wallet that signed in. */
export class NoWallet extends Error {
  override readonly name = 'NoWallet';
}

/** The wallet and account that signed in. Throws NoWallet or WalletError. */
export async function connectOwn(address: string, signal: AbortSignal): Promise<BrowserWallet> {
  const wallet = keptWallet();
  if (!wallet) throw new NoWallet('no wallet');
  const shown = await abortable(
    () => connect(wallet, { silent: true }).catch(() => connect(wallet)),
    signal,
  );
  if (shown !== address) throw new WalletError('notConnected');
  return wallet;
}
