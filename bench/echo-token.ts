import { createHmac } from 'node:crypto';

export const ID_BYTES = 16;

/** A token of the echo server: an id and its signature, in the format of the gateway. */
export function echoToken(key: string): string {
  const id = Buffer.alloc(ID_BYTES, 7);
  const seal = createHmac('sha256', key).update(id).digest().subarray(0, ID_BYTES);
  return Buffer.concat([id, seal]).toString('base64url');
}
