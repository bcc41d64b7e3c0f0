import bs58 from 'bs58';
import nacl from 'tweetnacl';

/** A real ed25519 wallet, as a browser wallet has one. */
export interface TestWallet {
  /** 64 bytes: for a wallet that signs transactions as well. */
  readonly secret: Uint8Array;
  /** 32 bytes in base58. */
  readonly address: string;
  /** 64 bytes, as the login wants them: decimal numbers, by comma. */
  sign(message: string): string;
  /** The body of POST /auth/login at that time. */
  login(timeMs: number): SignedLogin;
  /** The body of POST /admin/auth/sign-in. */
  signIn(timeMs: number): SignedLogin;
}

export interface SignedLogin {
  readonly wallet_address: string;
  readonly signature: string;
  readonly message: string;
}

const LOGIN_SENTENCE = 'Sign this message to log in to Reelbook: ';
const OPERATOR_SENTENCE = "Sign this message to enter the operators' console of Reelbook: ";

/** A new wallet; the same `seed` (any number) gives the same wallet again. */
export function createWallet(seed?: number): TestWallet {
  const pair =
    seed === undefined ? nacl.sign.keyPair() : nacl.sign.keyPair.fromSeed(seedBytes(seed));
  const address = bs58.encode(pair.publicKey);
  const sign = (message: string) =>
    nacl.sign.detached(new TextEncoder().encode(message), pair.secretKey).join(',');
  const signed = (message: string) => {
    return { wallet_address: address, signature: sign(message), message };
  };
  return {
    address,
    secret: pair.secretKey,
    sign,
    login: (timeMs) => signed(`${LOGIN_SENTENCE}${timeMs}`),
    signIn: (timeMs) => signed(`${OPERATOR_SENTENCE}${timeMs}`),
  };
}

function seedBytes(seed: number): Uint8Array {
  const bytes = new Uint8Array(nacl.sign.seedLength);
  new DataView(bytes.buffer).setFloat64(0, seed);
  return bytes;
}
