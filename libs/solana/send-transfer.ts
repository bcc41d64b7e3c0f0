/**
 * Payments from the treasury. Signing and sending are separate, so that the caller records the signed transaction before
 * it is sent: sign -> append -> send. The same bytes may be sent repeatedly; they land at most once. A second signature for
 * the same payment is a second payment, allowed only if `Chain.absence` has its witnesses.
 */
import { PRIORITY_MAX_MICRO, UNITS_MAX } from '@reelbook/ledger/player/payment-bytes';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { keypair, type Signer } from './keys.ts';
import type { Terms } from './mint.ts';
import { ChainAway } from './nodes.ts';
import type { Chain } from './rpc.ts';
import { MEMO_PROGRAM, type SignedTransfer } from './transaction.ts';

/** Quantile of the recent priority fees of transactions with the treasury's account. */
const PRIORITY_SHARE = 0.75;
const MEMO_MAX_BYTES = 500;
/** Blocks for which a new blockhash is still valid: 150, less or more what nodes lag behind one another. */
const BLOCKS_LEFT_MIN = 100;
const BLOCKS_LEFT_MAX = 300;

interface Transfer {
  /** A wallet that passed `checkDestination`. */
  readonly to: string;
  readonly amountMinor: bigint;
  /** Public on the chain: an id, no personal data. */
  readonly memo: string;
  /** Whether the treasury pays to open the receiver's token account (default true). Its owner may close it for the rent. */
  readonly opensAccount?: boolean;
}

/** Signs a transfer of `amountMinor` to a wallet, opening its token account if it is missing. Sends nothing. */
export async function signTransfer(
  chain: Chain,
  { signer, ...transfer }: Transfer & { readonly signer: Signer },
): Promise<SignedTransfer> {
  const terms = await chain.terms();
  if (transfer.amountMinor <= 0n) throw new Error('the amount of a transfer must be above 0');
  if (signer.address !== terms.wallet) throw new Error("the signer is not the treasury's wallet");
  return sign(chain, signer, transferInstructions(terms, transfer));
}

/** A finalized transaction as it was signed. It cannot land again. */
export async function readSignedTransfer(chain: Chain, signature: string): Promise<SignedTransfer> {
  const height = await chain.read('getBlockHeight', (node) => node.getBlockHeight('finalized'));
  return chain.read('getTransaction', async (node) => {
    const options = { commitment: 'finalized', maxSupportedTransactionVersion: 0 } as const;
    const found = await node.getTransaction(signature, options);
    if (!found) throw new Error(`the node lacks ${signature}`);
    const { message, signatures } = found.transaction;
    const signed = new VersionedTransaction(
      message,
      signatures.map((one) => bs58.decode(one)),
    );
    const bytes = Buffer.from(signed.serialize()).toString('base64');
    return { signature, bytes, lastValidBlockHeight: height, slot: found.slot };
  });
}

/** Signs a transaction of the treasury with only a memo. Sends nothing. */
export async function signMemo(
  chain: Chain,
  o: { readonly signer: Signer; readonly memo: string },
): Promise<SignedTransfer> {
  return sign(chain, o.signer, [memoInstruction(o.memo)]);
}

/** The order is that of `payment-bytes.ts`, without the compute budget. */
export function transferInstructions(
  {
    mint,
    program,
    wallet,
    tokenAccount,
    decimals,
  }: Pick<Terms, 'mint' | 'program' | 'wallet' | 'tokenAccount' | 'decimals'>,
  o: Transfer,
): TransactionInstruction[] {
  const [mintKey, programKey, payer] = [mint, program, wallet].map(
    (text) => new PublicKey(text),
  ) as [PublicKey, PublicKey, PublicKey];
  const to = new PublicKey(o.to);
  const target = getAssociatedTokenAddressSync(mintKey, to, false, programKey);
  const source = new PublicKey(tokenAccount);
  // A no-op if the account is open. The account may be closed before the transaction lands.
  const open = createAssociatedTokenAccountIdempotentInstruction(
    ...([payer, target, to, mintKey, programKey] as const),
  );
  return [
    ...(o.opensAccount === false ? [] : [open]),
    memoInstruction(o.memo),
    createTransferCheckedInstruction(
      source,
      mintKey,
      target,
      payer,
      o.amountMinor,
      decimals,
      [],
      programKey,
    ),
  ];
}

function memoInstruction(memo: string): TransactionInstruction {
  const data = Buffer.from(memo, 'utf8');
  if (data.length > MEMO_MAX_BYTES) throw new Error(`a memo has at most ${MEMO_MAX_BYTES} bytes`);
  return new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys: [], data });
}

async function sign(
  chain: Chain,
  signer: Signer,
  instructions: readonly TransactionInstruction[],
): Promise<SignedTransfer> {
  const [{ context, value }, microLamports] = await Promise.all([
    chain.read('getLatestBlockhash', (node) => node.getLatestBlockhashAndContext('confirmed')),
    priority(chain),
  ]);
  await assertRecent(chain, { ...value, slot: context.slot });
  const transaction = compose(signer, instructions, { ...value, microLamports });
  const [signature] = transaction.signatures;
  if (!signature) throw new Error('the treasury signs its transaction');
  return {
    signature: bs58.encode(signature),
    bytes: Buffer.from(transaction.serialize()).toString('base64'),
    lastValidBlockHeight: value.lastValidBlockHeight,
    slot: context.slot,
  };
}

/**
 * A node that reports a blockhash as valid for too short a time would have a payment signed again while it can land. With a
 * height of another provider at signing, a finalized height beyond `lastValidBlockHeight` is far beyond the blockhash's block.
 * Throws if the nodes differ, or if fewer than two providers respond where there are more.
 */
async function assertRecent(
  chain: Chain,
  signed: Pick<SignedTransfer, 'lastValidBlockHeight' | 'slot'>,
): Promise<void> {
  const places = await chain.places();
  const providers = new Set(places.map(({ provider }) => provider));
  if (providers.size < Math.min(2, chain.providers)) {
    throw new ChainAway('a payment is signed only while two providers respond');
  }
  for (const { height, slot } of places) {
    const left = signed.lastValidBlockHeight - height;
    const isNear = Math.abs(signed.slot - slot) <= BLOCKS_LEFT_MAX;
    if (isNear && left >= BLOCKS_LEFT_MIN && left <= BLOCKS_LEFT_MAX) continue;
    chain.turn();
    throw new ChainAway(`the nodes differ by ${left} blocks on how long a blockhash is valid`);
  }
}

/** The signed transaction, with its compute budget. */
export function compose(
  signer: Signer,
  instructions: readonly TransactionInstruction[],
  recent: { readonly blockhash: string; readonly microLamports: number },
): VersionedTransaction {
  const message = new TransactionMessage({
    payerKey: new PublicKey(signer.address),
    recentBlockhash: recent.blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: UNITS_MAX }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: recent.microLamports }),
      ...instructions,
    ],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([keypair(signer)]);
  return transaction;
}

/** The recent priority fee, bounded; 0 if the node does not report it. */
async function priority(chain: Chain): Promise<number> {
  const { tokenAccount } = await chain.terms();
  const lockedWritableAccounts = [new PublicKey(tokenAccount)];
  const recent = await chain
    .read('getRecentPrioritizationFees', (node) =>
      node.getRecentPrioritizationFees({ lockedWritableAccounts }),
    )
    .catch(() => []);
  const fees = recent.map((one) => one.prioritizationFee).sort((a, b) => a - b);
  const usual = fees[Math.floor(fees.length * PRIORITY_SHARE)] ?? 0;
  return Math.min(usual, PRIORITY_MAX_MICRO);
}
