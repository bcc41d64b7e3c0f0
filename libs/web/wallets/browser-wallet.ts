import { isSameSite, type SignInInput, writeSignature } from '@reelbook/contract/login';

/** A wallet of this browser, independent of how it was detected. Methods reject with the wallet's own errors. */
export interface BrowserWallet {
  readonly name: string;
  /** A data URL; null if the wallet has no icon. */
  readonly icon: string | null;
  /** Its address in base58. `silent` connects only a wallet that has approved this site before. */
  connect(options?: { readonly silent: boolean }): Promise<string>;
  /** The 64-byte signature of the connected account. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
  /** Connects and signs in with Sign-In With Solana: the wallet checks the domain. Null for a wallet without it. */
  readonly signIn: ((input: SignInInput) => Promise<SignedIn>) | null;
  /** Signs a serialized transaction and returns it; null for a wallet that cannot sign one. */
  readonly signTransaction: ((transaction: Uint8Array) => Promise<Uint8Array>) | null;
  disconnect(): Promise<void>;
  /** Calls back with the current address of the wallet, null for none; @returns the unsubscribe function. */
  watch(listener: (address: string | null) => void): () => void;
}

export interface SignedIn {
  readonly address: string;
  /** The text that the wallet wrote from the input, in UTF-8. */
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/** The server is configured for another origin than that of this page. */
export class OtherSiteError extends Error {
  override name = 'OtherSiteError';
  readonly origin: string;

  constructor(origin: string) {
    super(`this page is not ${origin}`);
    this.origin = origin;
  }
}

/** Before a signature that names `origin`: throws OtherSiteError on a page of another site. */
export function assertOwnPage(origin: string): void {
  if (!isSameSite(origin, location.origin)) throw new OtherSiteError(origin);
}

/** A refusal or failure of the wallet; the texts are the specification's, under `connecting.*`. */
export class WalletError extends Error {
  override name = 'WalletError';
  readonly key: 'rejected' | 'connectFailed' | 'signFailed' | 'noKey' | 'notConnected';

  constructor(key: WalletError['key'], cause?: unknown) {
    super(key, { cause });
    this.key = key;
  }
}

/**
 * Requests the wallet's account and a signature of `message`. Throws WalletError.
 * @returns the account's address, and the signature in the format of the login request.
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

/** Requests a Sign-In With Solana message. Throws WalletError. */
export async function signInWith(
  signIn: NonNullable<BrowserWallet['signIn']>,
  input: SignInInput,
): Promise<{ address: string; signature: string; message: string }> {
  try {
    const { address, message, signature } = await signIn(input);
    const text = new TextDecoder().decode(message);
    return { address, signature: writeSignature(signature), message: text };
  } catch (error) {
    throw new WalletError(wasRejected(error) ? 'rejected' : 'signFailed', error);
  }
}

/** The address of the wallet. Throws WalletError. */
export async function connect(
  wallet: BrowserWallet,
  options?: { silent: boolean },
): Promise<string> {
  let address: string;
  try {
    address = await wallet.connect(options);
  } catch (error) {
    if (error instanceof WalletError) throw error;
    throw new WalletError(wasRejected(error) ? 'rejected' : 'connectFailed', error);
  }
  if (!address) throw new WalletError('noKey');
  return address;
}

/** Wallets report a refusal by code 4001 or by message. */
function wasRejected(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && error.code === 4001) return true;
  return 'message' in error && /reject|denied|cancel/i.test(String(error.message));
}
