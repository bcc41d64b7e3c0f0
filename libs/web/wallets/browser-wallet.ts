import { writeSignature } from '@reelbook/contract/login';

/** A wallet of this browser, whichever way it made itself known. Methods reject with the wallet's own errors. */
export interface BrowserWallet {
  readonly name: string;
  /** A data URL; null for one that shows none. */
  readonly icon: string | null;
  /** Its address in base58. `silent` asks only a wallet that has let this site in before. */
  connect(o?: { readonly silent: boolean }): Promise<string>;
  /** The 64 bytes of a signature by the connected account. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
  /** Takes and gives a whole serialized transaction; null for a wallet that cannot sign one. */
  readonly signTransaction: ((transaction: Uint8Array) => Promise<Uint8Array>) | null;
  disconnect(): Promise<void>;
  /** Target of the address that the wallet shows now, null for none; @returns the way to stop. */
  watch(listener: (address: string | null) => void): () => void;
}

/** What the wallet refused or could not do; the words are the specification's, under `connecting.*`. */
export class WalletError extends Error {
  override name = 'WalletError';
  readonly key: 'rejected' | 'connectFailed' | 'signFailed' | 'noKey' | 'notConnected';

  constructor(key: WalletError['key'], cause?: unknown) {
    super(key, { cause });
    this.key = key;
  }
}

/**
 * Asks the wallet for its account and signs `message` with it. Throws WalletError.
 * @returns the account's address and the signature as it travels.
 */
export async function connectAndSign(
  wallet: BrowserWallet,
  message: string,
): Promise<{ address: string; signature: string }> {
  const address = await connect(wallet);
  try {
    const signature = await wallet.signMessage(new TextEncoder().encode(message));
    return { address, signature: writeSignature(signature) };
  } catch (error) {
    throw new WalletError(wasRejected(error) ? 'rejected' : 'signFailed', error);
  }
}

/** The address of the wallet. Throws WalletError. */
export async function connect(wallet: BrowserWallet, o?: { silent: boolean }): Promise<string> {
  let address: string;
  try {
    address = await wallet.connect(o);
  } catch (error) {
    if (error instanceof WalletError) throw error;
    throw new WalletError(wasRejected(error) ? 'rejected' : 'connectFailed', error);
  }
  if (!address) throw new WalletError('noKey');
  return address;
}

/** Wallets say "no" with code 4001 or in words. */
function wasRejected(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && error.code === 4001) return true;
  return 'message' in error && /reject|denied|cancel/i.test(String(error.message));
}
