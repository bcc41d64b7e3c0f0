/**
 * A player's deposit, in the browser: `buildDeposit` -> the wallet signs -> `sendDeposit` -> `awaitDeposit`.
 */

import { toText } from '@reelbook/ledger/money';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  unpackAccount,
  unpackMint,
} from '@solana/spl-token';
import {
  type AccountInfo,
  Connection,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';

/** Texts for the player, from the specification. */
class DepositError extends Error {
  override readonly name = 'DepositError';
}

export interface DepositOrder {
  /** Absolute URL of the browser's RPC (`rpc_url` of /config/system, resolved against the page's address). */
  readonly rpcUrl: string;
  /** `token_contract`; null if not configured. */
  readonly mint: string | null;
  /** `token_decimals` of the server, used if the chain does not give them; null if not loaded. */
  readonly decimals?: number | null;
  /** `project_wallet`; null if not configured. */
  readonly projectWallet: string | null;
  /** The player's wallet. */
  readonly from: string;
  readonly amountMinor: bigint;
}

export interface UnsignedDeposit {
  /** A serialized version 0 transaction with an empty signature, for the wallet to sign. */
  readonly bytes: Uint8Array;
  readonly lastValidBlockHeight: number;
}

const NO_CONTRACT =
  'Token contract address is not configured. Please contact the project team to configure the token contract.';
const NO_PROJECT_WALLET =
  'Project wallet address is not configured. Please contact the project team to configure the project wallet.';
const UNREADABLE =
  'The token contract could not be read on the chain. Nothing was sent; please try again later.';
/** The specification's, if neither chain nor server gives them. */
const DECIMALS_DEFAULT = 9;
const NO_ACCOUNT =
  'You do not have a BSM token account. Please ensure you have BSM tokens in your wallet.';
/** Polling interval and timeout of the status. */
const POLL_MS = 600;
const WAIT_MAX_MS = 90_000;

/** Checks the wallet's balance and builds the transfer. Throws DepositError with a text for the player. */
export async function buildDeposit(order: DepositOrder): Promise<UnsignedDeposit> {
  if (!order.mint) throw new DepositError(NO_CONTRACT);
  if (!order.projectWallet) throw new DepositError(NO_PROJECT_WALLET);
  const connection = new Connection(order.rpcUrl, 'confirmed');
  const [mint, from, project] = [order.mint, order.from, order.projectWallet].map(
    (text) => new PublicKey(text),
  ) as [PublicKey, PublicKey, PublicKey];
  const mintInfo = await connection.getAccountInfo(mint);
  const { program, decimals } = readMint(mint, mintInfo, order.decimals ?? null);
  const source = getAssociatedTokenAddressSync(mint, from, false, program);
  const target = getAssociatedTokenAddressSync(mint, project, true, program);
  const [sourceInfo, { blockhash, lastValidBlockHeight }] = await Promise.all([
    connection.getAccountInfo(source),
    connection.getLatestBlockhash(),
  ]);
  if (!sourceInfo) throw new DepositError(NO_ACCOUNT);
  assertEnough(order.amountMinor, unpackAccount(source, sourceInfo, program).amount);
  const message = new TransactionMessage({
    payerKey: from,
    recentBlockhash: blockhash,
    instructions: [
      createAssociatedTokenAccountIdempotentInstruction(from, target, project, mint, program),
      createTransferCheckedInstruction(
        source,
        mint,
        target,
        from,
        order.amountMinor,
        decimals,
        [],
        program,
      ),
    ],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  return { bytes: transaction.serialize(), lastValidBlockHeight };
}

/** The program and the decimals of a mint; the chain refuses a transfer with other decimals than its own. */
export function readMint(
  mint: PublicKey,
  info: AccountInfo<Buffer> | null,
  configured: number | null,
): { readonly program: PublicKey; readonly decimals: number } {
  const program = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].find((id) => info?.owner.equals(id));
  if (!info || !program) throw new DepositError(UNREADABLE);
  try {
    return { program, decimals: unpackMint(mint, info, program).decimals };
  } catch {
    return { program, decimals: configured ?? DECIMALS_DEFAULT };
  }
}

function assertEnough(amountMinor: bigint, availableMinor: bigint): void {
  if (amountMinor <= 0n) throw new DepositError('Please enter a valid deposit amount');
  if (availableMinor >= amountMinor) return;
  const [required, available] = [amountMinor, availableMinor].map((minor) =>
    toText('token', minor),
  );
  throw new DepositError(
    `Insufficient BSM token balance. Required: ${required}, Available: ${available}.`,
  );
}

/** The hash of a signed deposit, and its blockhash, which the wallet may have changed. */
export function readSigned(bytes: Uint8Array): {
  readonly signature: string;
  readonly blockhash: string;
} {
  const { signatures, message } = VersionedTransaction.deserialize(bytes);
  const [signature = new Uint8Array()] = signatures;
  return { signature: bs58.encode(signature), blockhash: message.recentBlockhash };
}

/** Sends the signed transaction. @returns its signature, the deposit's hash. */
export async function sendDeposit(o: {
  readonly rpcUrl: string;
  readonly bytes: Uint8Array;
}): Promise<string> {
  return new Connection(o.rpcUrl, 'confirmed').sendRawTransaction(o.bytes);
}

/**
 * Waits for the level "confirmed". Throws DepositError if the transaction failed or cannot land. The caller keeps the hash:
 * after a network failure the deposit may have landed.
 */
export async function awaitDeposit(o: {
  readonly rpcUrl: string;
  readonly signature: string;
  readonly lastValidBlockHeight: number;
  readonly signal?: AbortSignal;
}): Promise<void> {
  const connection = new Connection(o.rpcUrl, 'confirmed');
  const deadlineMs = Date.now() + WAIT_MAX_MS;
  for (;;) {
    const { blockHeight = 0, absoluteSlot } = await connection.getEpochInfo('confirmed');
    const { context, value: status } = await connection.getSignatureStatus(o.signature);
    if (status?.err) throw new DepositError('Insufficient BSM tokens or SOL for transaction fees.');
    const level = status?.confirmationStatus;
    if (level === 'confirmed' || level === 'finalized') return;
    // A lagging machine of the same URL may lack the block.
    if (!status && blockHeight > o.lastValidBlockHeight && context.slot >= absoluteSlot) {
      throw new DepositError('The transaction did not reach the chain in time. Nothing was moved.');
    }
    if (Date.now() > deadlineMs) throw new Error('the chain takes too long to confirm');
    await pause(o.signal);
  }
}

function pause(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, POLL_MS);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
