import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import nacl from 'tweetnacl';

export interface Signature {
  readonly algorithm: 'ed25519';
  /** 64 hex digits. */
  readonly public_key: string;
  /** 128 hex digits. */
  readonly value: string;
}

/** The public key of a secret one of 32 bytes, in hex. */
export function publicKeyOf(secretKey: Uint8Array): string {
  return bytesToHex(nacl.sign.keyPair.fromSeed(secretKey).publicKey);
}

export function signText(text: string, secretKey: Uint8Array): Signature {
  const pair = nacl.sign.keyPair.fromSeed(secretKey);
  const value = bytesToHex(nacl.sign.detached(utf8ToBytes(text), pair.secretKey));
  return { algorithm: 'ed25519', public_key: bytesToHex(pair.publicKey), value };
}

/** Whether the key of a signature has signed the text. False for an invalid key or signature. */
export function isSignatureOf(text: string, signature: Signature): boolean {
  const { algorithm, public_key, value } = signature;
  if (algorithm !== 'ed25519' || typeof public_key !== 'string' || typeof value !== 'string') {
    return false;
  }
  if (!/^[0-9a-f]{64}$/.test(public_key) || !/^[0-9a-f]{128}$/.test(value)) return false;
  return nacl.sign.detached.verify(utf8ToBytes(text), hexToBytes(value), hexToBytes(public_key));
}
