import { SolanaSignMessage, type SolanaSignMessageFeature } from '@solana/wallet-standard-features';
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import {
  StandardConnect,
  type StandardConnectFeature,
  StandardDisconnect,
  type StandardDisconnectFeature,
} from '@wallet-standard/features';

const SOLANA_CHAIN = /^solana:/;

export type SigningWallet = Wallet & {
  readonly features: StandardConnectFeature & SolanaSignMessageFeature;
};

/** What the wallet refused or could not do; the words are the specification's, under `wallet.*`. */
export class WalletError extends Error {
  override name = 'WalletError';
  readonly key: 'rejected' | 'connectFailed' | 'signFailed' | 'noKey';

  constructor(key: WalletError['key'], cause?: unknown) {
    super(key, { cause });
    this.key = key;
  }
}

/** The wallets of this browser that can sign a message on Solana. */
export function listWallets(): readonly SigningWallet[] {
  return getWallets().get().filter(isSigningWallet);
}

/** Calls back whenever a wallet comes or goes; @returns the way to stop. */
export function watchWallets(listener: () => void): () => void {
  const wallets = getWallets();
  const stops = [wallets.on('register', listener), wallets.on('unregister', listener)];
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Asks the wallet for its account and signs `message` with it.
 * @returns the account's address and the 64 bytes of the signature. Throws WalletError.
 */
export async function connectAndSign(
  wallet: SigningWallet,
  message: string,
): Promise<{ address: string; signature: Uint8Array }> {
  const account = await connect(wallet);
  try {
    const bytes = new TextEncoder().encode(message);
    const [signed] = await wallet.features[SolanaSignMessage].signMessage({
      account,
      message: bytes,
    });
    if (!signed) throw new Error('the wallet answered without a signature');
    return { address: account.address, signature: Uint8Array.from(signed.signature) };
  } catch (error) {
    throw new WalletError(wasRejected(error) ? 'rejected' : 'signFailed', error);
  }
}

/** Tells the wallets that the app lets go of them; a wallet that cannot is left alone. */
export async function disconnectAll(): Promise<void> {
  for (const wallet of listWallets()) {
    const feature = wallet.features[StandardDisconnect as keyof typeof wallet.features];
    if (wallet.accounts.length === 0 || !feature) continue;
    const { disconnect } = feature as unknown as StandardDisconnectFeature['standard:disconnect'];
    await disconnect().catch(() => undefined);
  }
}

async function connect(wallet: SigningWallet): Promise<WalletAccount> {
  try {
    const { accounts } = await wallet.features[StandardConnect].connect();
    const account = accounts.find(({ chains }) => chains.some((chain) => SOLANA_CHAIN.test(chain)));
    if (account) return account;
  } catch (error) {
    throw new WalletError(wasRejected(error) ? 'rejected' : 'connectFailed', error);
  }
  throw new WalletError('noKey');
}

function isSigningWallet(wallet: Wallet): wallet is SigningWallet {
  return (
    StandardConnect in wallet.features &&
    SolanaSignMessage in wallet.features &&
    wallet.chains.some((chain) => SOLANA_CHAIN.test(chain))
  );
}

/** Wallets say "no" with code 4001 or in words. */
function wasRejected(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && error.code === 4001) return true;
  return 'message' in error && /reject|denied|cancel/i.test(String(error.message));
}
