import {
  loginMessage,
  loginSentence,
  operatorSentence,
  signInInput,
  signInText,
  writeSignature,
} from '@reelbook/contract/login';
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
  /** The body of POST /auth/login at that time. `sentence` is the `login_sentence` of the site. */
  login(timeMs: number, sentence?: string): SignedLogin;
  /** The same body with a Sign-In With Solana message. */
  checkedLogin(timeMs: number, origin?: string): SignedLogin;
  /** The body of POST /admin/auth/sign-in. */
  signIn(timeMs: number, sentence?: string): SignedLogin;
}

const NONCE_BYTES = 16;

export interface SignedLogin {
  readonly wallet_address: string;
  readonly signature: string;
  readonly message: string;
}

/** PUBLIC_ORIGIN and CONSOLE_ORIGIN of the sites of tests, unless a browser opens them. */
export const TEST_ORIGIN = 'https://play.reelbook.test';
export const TEST_CONSOLE_ORIGIN = 'https://console.reelbook.test';

/** A new wallet; the same `seed` (any number) gives the same wallet again. */
export function createWallet(seed?: number): TestWallet {
  const pair =
    seed === undefined ? nacl.sign.keyPair() : nacl.sign.keyPair.fromSeed(seedBytes(seed));
  const address = bs58.encode(pair.publicKey);
  const sign = (message: string) =>
    writeSignature(nacl.sign.detached(new TextEncoder().encode(message), pair.secretKey));
  const signed = (message: string) => {
    return { wallet_address: address, signature: sign(message), message };
  };
  return {
    address,
    secret: pair.secretKey,
    sign,
    login: (timeMs, sentence = loginSentence(TEST_ORIGIN)) =>
      signed(loginMessage(timeMs, sentence)),
    checkedLogin(timeMs, origin = TEST_ORIGIN) {
      const nonce = Buffer.from(nacl.randomBytes(NONCE_BYTES)).toString('hex');
      return signed(signInText(address, signInInput({ origin, timeMs, nonce })));
    },
    signIn: (timeMs, sentence = operatorSentence(TEST_CONSOLE_ORIGIN)) =>
      signed(loginMessage(timeMs, sentence)),
  };
}

function seedBytes(seed: number): Uint8Array {
  const bytes = new Uint8Array(nacl.sign.seedLength);
  new DataView(bytes.buffer).setFloat64(0, seed);
  return bytes;
}
