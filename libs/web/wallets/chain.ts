/** Code that needs the chain's library; loaded only when a wallet signs a transaction. */
import { Keypair, VersionedTransaction } from '@solana/web3.js';

/** A serialized transaction as the object that injected wallets take. */
export function readTransaction(bytes: Uint8Array): VersionedTransaction {
  return VersionedTransaction.deserialize(bytes);
}

/** Adds the signature of an unprotected key, such as the development wallet's. */
export function signSerialized(bytes: Uint8Array, secretKey: Uint8Array): Uint8Array {
  const transaction = VersionedTransaction.deserialize(bytes);
  transaction.sign([Keypair.fromSecretKey(secretKey)]);
  return transaction.serialize();
}
