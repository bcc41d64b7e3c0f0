import { ACCOUNT_SIZE, AccountLayout, MintLayout } from '@solana/spl-token';
import {
  AddressLookupTableAccount,
  type MessageV0,
  PublicKey,
  type VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import type { TransactionMetadata } from 'litesvm/dist/internal.js';
import { invalid, type TransactionError } from './errors.ts';

/** A stored account: plain data for the disk. */
export interface StoredAccount {
  readonly lamports: string;
  /** Base64. */
  readonly data: string;
  readonly owner: string;
  readonly executable: boolean;
}

/** A landed transaction with all data for `getTransaction`. */
export interface LandedTransaction {
  readonly signature: string;
  /** Base64. */
  readonly bytes: string;
  readonly slot: number;
  readonly error: TransactionError | null;
  readonly fee: number;
  readonly logs: readonly string[];
  readonly units: number;
  readonly inner: readonly InnerOf[];
  /** Addresses from lookup tables. */
  readonly loaded: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  readonly preBalances: readonly number[];
  readonly postBalances: readonly number[];
  readonly preTokens: readonly TokenEntry[];
  readonly postTokens: readonly TokenEntry[];
  /** Its writes, before and after: used for older states and for restarts. */
  readonly writes: readonly Write[];
}

export interface InnerOf {
  readonly index: number;
  readonly instructions: readonly {
    readonly programIdIndex: number;
    readonly accounts: readonly number[];
    readonly data: string;
    readonly stackHeight: number;
  }[];
}

export interface TokenEntry {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: UiAmount;
}

export interface UiAmount {
  readonly amount: string;
  readonly decimals: number;
  readonly uiAmount: number;
  readonly uiAmountString: string;
}

export interface Write {
  readonly address: string;
  readonly before: StoredAccount | null;
  readonly after: StoredAccount | null;
}

/** A parsed and valid transaction, with the addresses from its lookup tables. */
export interface ReadTransaction {
  readonly transaction: VersionedTransaction;
  readonly bytes: Uint8Array;
  readonly signature: string;
  readonly keys: readonly PublicKey[];
  readonly writable: readonly boolean[];
  readonly loaded: LandedTransaction['loaded'];
}

export type AccountReader = (address: string) => StoredAccount | null;

const TRANSACTION_MAX_BYTES = 1_232;
export const TOKEN_PROGRAMS: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];
/** Offset of the account type in accounts with extensions. */
const KIND_TOKEN_ACCOUNT = 2;

/**
 * Parses the bytes of a transaction. Throws RpcError for invalid bytes. The virtual machine ends the process for bytes that
 * it cannot parse, so it receives only bytes that were parsed, checked and serialized to the same bytes.
 */
export function readBytes(bytes: Uint8Array, accounts: AccountReader): ReadTransaction {
  if (bytes.length > TRANSACTION_MAX_BYTES) {
    throw invalid(`transaction too large: ${bytes.length} bytes (max ${TRANSACTION_MAX_BYTES})`);
  }
  let transaction: VersionedTransaction;
  try {
    transaction = VersionedTransaction.deserialize(bytes);
    if (Buffer.compare(transaction.serialize(), bytes) !== 0) throw new Error('not canonical');
  } catch {
    throw invalid('failed to deserialize transaction');
  }
  const { message, signatures } = transaction;
  const loaded = lookUp(message as MessageV0, accounts);
  const keys = [
    ...message.staticAccountKeys,
    ...[...loaded.writable, ...loaded.readonly].map((text) => new PublicKey(text)),
  ];
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } =
    message.header;
  const statics = message.staticAccountKeys.length;
  const sound =
    signatures.length === numRequiredSignatures &&
    numRequiredSignatures > numReadonlySignedAccounts &&
    numRequiredSignatures + numReadonlyUnsignedAccounts <= statics &&
    new Set(keys.map((key) => key.toBase58())).size === keys.length &&
    message.compiledInstructions.every(
      ({ programIdIndex, accountKeyIndexes }) =>
        programIdIndex > 0 &&
        programIdIndex < statics &&
        accountKeyIndexes.every((index) => index < keys.length),
    );
  const [first] = signatures;
  if (!sound || !first) throw invalid('invalid transaction: it failed to sanitize');
  const writable = keys.map((_, index) => message.isAccountWritable(index));
  return { transaction, bytes, signature: bs58.encode(first), keys, writable, loaded };
}

export function messageOf(landed: LandedTransaction): VersionedMessage {
  return VersionedTransaction.deserialize(Buffer.from(landed.bytes, 'base64')).message;
}

function lookUp(message: MessageV0, accounts: AccountReader): LandedTransaction['loaded'] {
  const loaded = { writable: [] as string[], readonly: [] as string[] };
  for (const lookup of message.addressTableLookups ?? []) {
    const table = accounts(lookup.accountKey.toBase58());
    if (!table) throw invalid('invalid transaction: an address lookup table was not found');
    const { addresses } = AddressLookupTableAccount.deserialize(Buffer.from(table.data, 'base64'));
    const at = (index: number) => {
      const key = addresses[index];
      if (!key) throw invalid('invalid transaction: a lookup table has no such entry');
      return key.toBase58();
    };
    loaded.writable.push(...lookup.writableIndexes.map(at));
    loaded.readonly.push(...lookup.readonlyIndexes.map(at));
  }
  return loaded;
}

/** Token balances of a transaction's accounts, in the form of `preTokenBalances` and `postTokenBalances`. */
export function tokenEntries(keys: readonly PublicKey[], accounts: AccountReader): TokenEntry[] {
  return keys.flatMap((key, accountIndex) => {
    const account = accounts(key.toBase58());
    const token = account && readTokenAccount(account);
    if (!token) return [];
    const { mint, owner, program: programId, amount } = token;
    const uiTokenAmount = uiAmount(amount, decimalsOf(mint, accounts));
    return { accountIndex, mint, owner, programId, uiTokenAmount };
  });
}

/** Parses a token account; null if it is not an initialized one. */
export function readTokenAccount(account: StoredAccount) {
  if (!TOKEN_PROGRAMS.includes(account.owner)) return null;
  const data = Buffer.from(account.data, 'base64');
  if (data.length < ACCOUNT_SIZE) return null;
  if (data.length > ACCOUNT_SIZE && data[ACCOUNT_SIZE] !== KIND_TOKEN_ACCOUNT) return null;
  const raw = AccountLayout.decode(data);
  if (raw.state === 0) return null;
  return {
    mint: raw.mint.toBase58(),
    owner: raw.owner.toBase58(),
    program: account.owner,
    amount: raw.amount,
    raw,
  };
}

/** Decimals of a mint; 0 if it does not exist. */
export function decimalsOf(mint: string, accounts: AccountReader): number {
  const account = accounts(mint);
  return account ? MintLayout.decode(Buffer.from(account.data, 'base64')).decimals : 0;
}

export function uiAmount(amount: bigint, decimals: number): UiAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  const uiAmountString = decimals === 0 ? text : text.replace(/\.?0+$/, '');
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString };
}

export function innerOf(meta: TransactionMetadata): InnerOf[] {
  return meta.innerInstructions().flatMap((list, index) => {
    const instructions = list.map((one) => {
      const instruction = one.instruction();
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: bs58.encode(instruction.data()),
        stackHeight: one.stackHeight(),
      };
    });
    return instructions.length > 0 ? { index, instructions } : [];
  });
}
