import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';

const PUBLIC_KEY_BYTES = 32;
/** Maximum length of 32 bytes in base58. */
const ADDRESS_LENGTH_MAX = 44;

/** The 32 bytes of a wallet address; null unless it is their canonical base58. */
export function readWallet(address: string): Uint8Array | null {
  if (address.length > ADDRESS_LENGTH_MAX) return null;
  const bytes = bs58.decodeUnsafe(address);
  return bytes?.length === PUBLIC_KEY_BYTES && bs58.encode(bytes) === address ? bytes : null;
}

/**
 * Strict ed25519 verification over the UTF-8 bytes: S below the group order, canonical points, and no small-order key,
 * for which one signature is valid for many messages.
 */
export function isSignedBy(publicKey: Uint8Array, message: string, signature: Uint8Array): boolean {
  try {
    const point = ed25519.Point.fromBytes(publicKey, false);
    if (point.isSmallOrder()) return false;
    return ed25519.verify(signature, new TextEncoder().encode(message), publicKey, {
      zip215: false,
    });
  } catch {
    // The bytes are not a point of the curve.
    return false;
  }
}
