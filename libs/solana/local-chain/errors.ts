import type { TransactionInstruction } from '@solana/web3.js';
import type {
  FailedTransactionMetadata,
  TransactionErrorInstructionError,
} from 'litesvm/dist/internal.js';
import type { Signer } from '../keys.ts';
import type { FaultControl } from './clock.ts';

/** A JSON-RPC error. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalid = (message: string) => new RpcError(-32602, message);

/** An error of the chain: a name, or an object with details. */
export type TransactionError = string | Readonly<Record<string, unknown>>;

export const ALREADY_PROCESSED = 'AlreadyProcessed';
export const BLOCKHASH_NOT_FOUND = 'BlockhashNotFound';
export const SIGNATURE_FAILURE = 'SignatureFailure';

/** In the order of the virtual machine's error numbers. */
const TRANSACTION_ERRORS =
  'AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound InvalidAddressLookupTableOwner InvalidAddressLookupTableData InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled'.split(
    ' ',
  );
const INSTRUCTION_ERRORS =
  'GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall InsufficientFunds IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable IncorrectAuthority AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits BorshIoError'.split(
    ' ',
  );

/** The error in the form of a real chain's RPC. */
export function errorOf(failed: FailedTransactionMetadata): TransactionError {
  const error = failed.err();
  if (typeof error === 'number') return TRANSACTION_ERRORS[error] ?? 'CommitCancelled';
  switch (error.constructor.name) {
    case 'TransactionErrorInstructionError':
      return instructionError(error as TransactionErrorInstructionError);
    case 'TransactionErrorDuplicateInstruction':
      return { DuplicateInstruction: 'index' in error ? error.index : 0 };
    case 'TransactionErrorInsufficientFundsForRent':
      return { InsufficientFundsForRent: accountOf(error) };
    default:
      return { ProgramExecutionTemporarilyRestricted: accountOf(error) };
  }
}

const accountOf = (error: object) => ({
  account_index: 'accountIndex' in error ? error.accountIndex : 0,
});

function instructionError(error: TransactionErrorInstructionError): TransactionError {
  const inner = error.err();
  if (typeof inner === 'number') {
    return { InstructionError: [error.index, INSTRUCTION_ERRORS[inner] ?? 'GenericError'] };
  }
  const detail = 'code' in inner ? { Custom: inner.code } : 'BorshIoError';
  return { InstructionError: [error.index, detail] };
}

/** Whether a transaction with this error lands as failed and pays its fee. All others never land. */
export function landsFailed(error: TransactionError): boolean {
  return typeof error !== 'string';
}

/** The error as text for the message of a refused call. */
export function textOf(error: TransactionError): string {
  if (typeof error === 'string') return known[error] ?? `Transaction failed: ${error}`;
  const [index, detail] = (error.InstructionError as [number, unknown] | undefined) ?? [];
  if (index === undefined) return `Transaction failed: ${JSON.stringify(error)}`;
  const { Custom: code } = (typeof detail === 'object' ? detail : {}) as { Custom?: number };
  const reason =
    code === undefined ? String(detail) : `custom program error: 0x${code.toString(16)}`;
  return `Error processing Instruction ${index}: ${reason}`;
}

const known: Readonly<Record<string, string>> = {
  [BLOCKHASH_NOT_FOUND]: 'Blockhash not found',
  [ALREADY_PROCESSED]: 'This transaction has already been processed',
  [SIGNATURE_FAILURE]: 'Transaction did not pass signature verification',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  InsufficientFundsForFee: 'Insufficient funds for fee',
};

export interface LocalChainOptions {
  /** Folder of its state; null keeps the state in memory. */
  readonly folder: string | null;
  /** 0, the default: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Time between blocks; default 400, as on a real chain. */
  readonly slotMs?: number;
  /** Age at which a block is confirmed; default 400. */
  readonly confirmAfterMs?: number;
  /** Age at which a block is finalized; default 2,000, about 13,000 on a real chain. */
  readonly finalizeAfterMs?: number;
  /** Number of blocks for which a blockhash is valid; default 150, as on a real chain. */
  readonly blockhashBlocks?: number;
  /** `manual`: only `advance` creates blocks, so that a test needs no clock. */
  readonly clock?: 'time' | 'manual';
}

/** A local Solana chain: real programs and signatures, no stake and no network. */
export interface LocalChain {
  /** Its RPC, without websocket. */
  readonly url: string;
  /** Two nodes of the chain: `url`, and a second one with its own faults. */
  readonly urls: readonly [string, string];
  readonly faults: FaultControl;
  /** The address that signs and pays airdrops and the fees of `run`. */
  readonly purse: string;
  /** Sends SOL. @returns the signature of the transaction. */
  airdrop(address: string, lamports: bigint): Promise<string>;
  /** Runs a transaction immediately; the chain pays its fee. @returns its signature. Throws if it fails. */
  run(instructions: readonly TransactionInstruction[], signers: readonly Signer[]): Promise<string>;
  /** Adds blocks: transactions become confirmed and finalized, blockhashes expire. */
  advance(blocks: number): void;
  /** Number of blocks until every current transaction is finalized. */
  readonly blocksToFinal: number;
  /** Resolves when all acknowledged data are on the disk. */
  close(): Promise<void>;
}
