import { buildDeposit, type DepositOrder } from '@reelbook/solana/deposit';
import { keypair, type Signer } from '@reelbook/solana/keys';
import { VersionedTransaction } from '@solana/web3.js';

/** A deposit as the player app sends it: built, and signed by that wallet. */
export async function signDeposit(from: Signer, order: Omit<DepositOrder, 'from'>) {
  const built = await buildDeposit({ ...order, from: from.address });
  const transaction = VersionedTransaction.deserialize(built.bytes);
  transaction.sign([keypair(from)]);
  return { ...built, bytes: transaction.serialize() };
}
