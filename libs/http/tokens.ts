import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { assert } from '@reelbook/ledger/assert';
import bs58 from 'bs58';

export { isSignedBy, readWallet } from '@reelbook/solana/signature';

/**
 * Bearer tokens: base64url of a random secret, the claims of the session, and 16 bytes of the HMAC of both. A request is
 * identified by its token alone: no row of a table can change the wallet, the kind of sign-in or the end. All tokens of a
 * session share its secret; a refresh increments the generation. The HMAC includes a purpose, so that a player token is never
 * an operator token under the same key.
 */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{116}$/;
const [GENERATION_AT, SIGN_IN_AT, LOGIN_AT, STARTED_AT, ENDS_AT, WALLET_AT, MAC_AT, TOKEN_BYTES] = [
  16, 20, 21, 27, 33, 39, 71, 87,
];
/** Of positions and times. */
const NUMBER_BYTES = 6;

/** What the ledger records of the sign-in, and when the token ends. Times in ms since 1970. */
interface Claims<SignIn> {
  readonly wallet: string;
  readonly signIn: SignIn;
  /** Position of the event of the sign-in. */
  readonly login: number;
  readonly startedAtMs: number;
  readonly endsAtMs: number;
  /** Number of refreshes since the login. */
  readonly generation: number;
}

export interface ReadToken<SignIn> extends Claims<SignIn> {
  /** Identifies the session, in hex: the event of the sign-in has it. Not a secret. */
  readonly name: string;
}

export interface Tokens<SignIn> {
  /** The secret of a new session; the ledger records only its `name`. */
  draw(): { readonly secret: Buffer; readonly name: string };
  issue(secret: Buffer, claims: Claims<SignIn>): string;
  /** Null if the token was not created with this key for this purpose. Does not compare its end with a clock. */
  read(token: string): ReadToken<SignIn> | null;
  /** A later token of the session of a valid token. */
  renew(token: string, claims: Claims<SignIn>): string;
}

/** `purpose` and `naming` separate the HMACs of tokens and of their names. Never reorder `signIns`: a token has the index. */
export function openTokens<SignIn extends string>(options: {
  readonly key: Buffer;
  readonly purpose: string;
  readonly naming: string;
  readonly signIns: readonly SignIn[];
}): Tokens<SignIn> {
  const { key, signIns } = options;
  assert(key.length === 32, 'the session key has 32 bytes');
  const keyed = (purpose: string, data: Buffer) =>
    createHmac('sha256', key).update(purpose).update(data).digest();
  const macOf = (token: Buffer) =>
    keyed(options.purpose, token.subarray(0, MAC_AT)).subarray(0, TOKEN_BYTES - MAC_AT);
  const nameOf = (secret: Buffer) => keyed(options.naming, secret).toString('hex');

  function issue(secret: Buffer, claims: Claims<SignIn>): string {
    const wallet = bs58.decode(claims.wallet);
    assert(wallet.length === MAC_AT - WALLET_AT, 'a wallet address has 32 bytes');
    const bytes = Buffer.alloc(TOKEN_BYTES);
    secret.copy(bytes);
    bytes.writeUInt32BE(claims.generation, GENERATION_AT);
    bytes.writeUInt8(signIns.indexOf(claims.signIn), SIGN_IN_AT);
    bytes.writeUIntBE(claims.login, LOGIN_AT, NUMBER_BYTES);
    bytes.writeUIntBE(claims.startedAtMs, STARTED_AT, NUMBER_BYTES);
    bytes.writeUIntBE(claims.endsAtMs, ENDS_AT, NUMBER_BYTES);
    bytes.set(wallet, WALLET_AT);
    macOf(bytes).copy(bytes, MAC_AT);
    return bytes.toString('base64url');
  }

  return {
    draw() {
      const secret = randomBytes(GENERATION_AT);
      return { secret, name: nameOf(secret) };
    },
    issue,
    read(token) {
      if (!TOKEN_PATTERN.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      if (!timingSafeEqual(bytes.subarray(MAC_AT), macOf(bytes))) return null;
      const signIn = signIns[bytes.readUInt8(SIGN_IN_AT)];
      assert(signIn, 'the HMAC covers the kind of sign-in');
      return {
        name: nameOf(secretOf(bytes)),
        wallet: bs58.encode(bytes.subarray(WALLET_AT, MAC_AT)),
        signIn,
        generation: bytes.readUInt32BE(GENERATION_AT),
        login: bytes.readUIntBE(LOGIN_AT, NUMBER_BYTES),
        startedAtMs: bytes.readUIntBE(STARTED_AT, NUMBER_BYTES),
        endsAtMs: bytes.readUIntBE(ENDS_AT, NUMBER_BYTES),
      };
    },
    renew: (token, claims) => issue(secretOf(Buffer.from(token, 'base64url')), claims),
  };
}

const secretOf = (token: Buffer) => token.subarray(0, GENERATION_AT);

/** The wallet address of a 32-byte secret. */
export function addressOf(secret: Uint8Array): string {
  return bs58.encode(ed25519.getPublicKey(secret));
}
