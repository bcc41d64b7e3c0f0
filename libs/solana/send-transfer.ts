/**
 * Payments from the treasury. Signing and sending are separate, so that the caller records the signed transaction before
 * it is sent: sign -> append -> send. The same bytes may be sent repeatedly; they land at most once. A second signature for
 * the same payment is a second payment, allowed only if `Chain.absence` has its witnesses.
 */
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
import type { Chain } from './rpc.ts';
import { MEMO_PROGRAM, type SignedTransfer } from './transaction.ts';

/** Limit of compute units: about twice what a transfer with a new token account and a memo uses. */
const UNITS_MAX = 150_000;
/** Micro-lamports per unit: with the units above, a priority fee of at most 0.000015 SOL. */
const PRIORITY_MAX_MICRO = 100_000;
/** Quantile of the recent priority fees of transactions with the treasury's account. */
const PRIORITY_SHARE = 0.75;
const MEMO_MAX_BYTES = 500;

/** Signs a transfer of `amountMinor` to a wallet, opening its token account if it is missing. Sends nothing. */
export async function signTransfer(
  chain: Chain,
  o: {
    readonly signer: Signer;
    /** A wallet that passed `checkDestination`. */
    readonly to: string;
    readonly amountMinor: bigint;
    /** Public on the chain: an id, no personal data. */
    readonly memo: string;
    /** Whether the treasury pays to open the receiver's token account (default true). Its owner may close it for the rent. */
    readonly opensAccount?: boolean;
  },
): Promise<SignedTransfer> {
  const terms = await chain.terms();
  if (o.amountMinor <= 0n) throw new Error('the amount of a transfer must be above 0');
  if (o.signer.address !== terms.wallet) throw new Error("the signer is not the treasury's wallet");
  return sign(chain, o.signer, [...transferInstructions(terms, o), memoInstruction(o.memo)]);
}

/** Signs a transaction of the treasury with only a memo. Sends nothing. */
export async function signMemo(
  chain: Chain,
  o: { readonly signer: Signer; readonly memo: string },
): Promise<SignedTransfer> {
  return sign(chain, o.signer, [memoInstruction(o.memo)]);
}

function transferInstructions(
  { mint, program, wallet, tokenAccount, decimals }: Terms,
  o: { readonly to: string; readonly amountMinor: bigint; readonly opensAccount?: boolean },
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
  const message = new TransactionMessage({
    payerKey: new PublicKey(signer.address),
    recentBlockhash: value.blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: UNITS_MAX }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
      ...instructions,
    ],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([keypair(signer)]);
  const [signature] = transaction.signatures;
  if (!signature) throw new Error('the treasury signs its transaction');
  return {
    signature: bs58.encode(signature),
    bytes: Buffer.from(transaction.serialize()).toString('base64'),
    lastValidBlockHeight: value.lastValidBlockHeight,
    slot: context.slot,
  };
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
