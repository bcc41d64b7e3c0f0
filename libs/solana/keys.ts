import { Keypair, PublicKey } from '@solana/web3.js';

/** A signing key. Only the cashier has one; the gateway has only the treasury's address. */
export interface Signer {
  readonly address: string;
  /** 64 bytes: the seed and the public key. Never logged. */
  readonly secret: Uint8Array;
}

/** Parses the 64 bytes of a key. Throws, without repeating them, if the halves do not match. */
export function readSigner(secret: Uint8Array): Signer {
  return signerOf(keypairOf(secret));
}

export function createSigner(): Signer {
  return signerOf(Keypair.generate());
}

/** For the calls of @solana/web3.js. */
export function keypair(signer: Signer): Keypair {
  return keypairOf(signer.secret);
}

/** The address, or null for any text that is not 32 bytes in base58. */
export function readAddress(text: string): PublicKey | null {
  try {
    const key = new PublicKey(text);
    return key.toBase58() === text ? key : null;
  } catch {
    return null;
  }
}

function signerOf(pair: Keypair): Signer {
  return { address: pair.publicKey.toBase58(), secret: pair.secretKey };
}

function keypairOf(secret: Uint8Array): Keypair {
  try {
    return Keypair.fromSecretKey(secret);
  } catch {
    throw new Error('not a Solana key: its two halves do not match');
  }
}
