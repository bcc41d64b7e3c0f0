import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';

/**
 * Bearer tokens: base64url of 16 random bytes and 16 bytes of their HMAC, so that a forged token is rejected without a
 * database query. The HMAC includes a purpose, so that a player token is never an operator token under the same key.
 */
const ID_BYTES = 16;
const MAC_BYTES = 16;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

export interface Tokens {
  /** Creates a token; the ledger records only its `name`. */
  draw(): { readonly token: string; readonly name: string };
  isOurs(token: string): boolean;
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
  const macOf = (id: Buffer) => keyed(options.purpose, id).subarray(0, MAC_BYTES);
  return {
    draw() {
      const id = randomBytes(ID_BYTES);
      const token = Buffer.concat([id, macOf(id)]).toString('base64url');
      return { token, name: keyed(options.naming, token).toString('hex') };
    },
    isOurs(token) {
      if (!TOKEN_PATTERN.test(token)) return false;
      const bytes = Buffer.from(token, 'base64url');
      return timingSafeEqual(bytes.subarray(ID_BYTES), macOf(bytes.subarray(0, ID_BYTES)));
    },
  };
}

/** Tables store this hash instead of the token. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
