import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';

export { isSignedBy, readWallet } from '@reelbook/solana/signature';

/** The wallet address of a 32-byte secret. */
export function addressOf(secret: Uint8Array): string {
  return bs58.encode(ed25519.getPublicKey(secret));
}
