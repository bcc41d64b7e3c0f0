/** Whatever needs the chain's own library; loaded only when a wallet signs a transaction. */
import { Keypair, VersionedTransaction } from '@solana/web3.js';

/** A serialized transaction as the object that injected wallets take. */
export function readTransaction(bytes: Uint8Array): VersionedTransaction {
  return VersionedTransaction.deserialize(bytes);
}

/** Adds the signature of a key that lies open, as that of the development wallet does. */
export function signSerialized(bytes: Uint8Array, secretKey: Uint8Array): Uint8Array {
  const transaction = VersionedTransaction.deserialize(bytes);
  transaction.sign([Keypair.fromSecretKey(secretKey)]);
  return transaction.serialize();
}
