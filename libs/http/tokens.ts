import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';

/**
 * Bearer tokens: base64url of a random secret, the generation of the token, and 16 bytes of the HMAC of both, so that a
 * forged token is rejected without a database query. All tokens of a session share its secret; a refresh increments the
 * generation. The HMAC includes a purpose, so that a player token is never an operator token under the same key.
 */
const SECRET_BYTES = 16;
const GENERATION_BYTES = 4;
const MAC_BYTES = 16;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{48}$/;

export interface ReadToken {
  /** SHA-256 of the secret; tables store it instead of the token. */
  readonly hash: Buffer;
  /** Number of refreshes since the login. */
  readonly generation: number;
}

export interface Tokens {
  /** Creates the first token of a session; the ledger records only its `name`. */
  draw(): { readonly token: string; readonly name: string };
  /** Null if the token was not created with this key for this purpose. */
  read(token: string): ReadToken | null;
  /** The token of another generation of the same session. */
  withGeneration(token: string, generation: number): string;
}

/** `purpose` and `naming` separate the HMACs of tokens and of their names. */
export function openTokens(options: {
  readonly key: Buffer;
  readonly purpose: string;
  readonly naming: string;
}): Tokens {
  assert(options.key.length === 32, 'the session key has 32 bytes');
  const keyed = (purpose: string, data: Buffer | string) =>
    createHmac('sha256', options.key).update(purpose).update(data).digest();
  const macOf = (signed: Buffer) => keyed(options.purpose, signed).subarray(0, MAC_BYTES);
  const signedBytes = SECRET_BYTES + GENERATION_BYTES;

  function encode(secret: Buffer, generation: number): string {
    const signed = Buffer.alloc(signedBytes);
    secret.copy(signed);
    signed.writeUInt32BE(generation, SECRET_BYTES);
    return Buffer.concat([signed, macOf(signed)]).toString('base64url');
  }

  return {
    draw() {
      const token = encode(randomBytes(SECRET_BYTES), 0);
      return { token, name: keyed(options.naming, token).toString('hex') };
    },
    read(token) {
      if (!TOKEN_PATTERN.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const signed = bytes.subarray(0, signedBytes);
      if (!timingSafeEqual(bytes.subarray(signedBytes), macOf(signed))) return null;
      const hash = createHash('sha256').update(secretOf(bytes)).digest();
      return { hash, generation: signed.readUInt32BE(SECRET_BYTES) };
    },
    withGeneration: (token, generation) =>
      encode(secretOf(Buffer.from(token, 'base64url')), generation),
  };
}

const secretOf = (token: Buffer) => token.subarray(0, SECRET_BYTES);
