import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, open, rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';
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
import type { ClockSetting, Genesis } from './clock.ts';
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

interface InnerOf {
  readonly index: number;
  readonly instructions: readonly {
    readonly programIdIndex: number;
    readonly accounts: readonly number[];
    readonly data: string;
    readonly stackHeight: number;
  }[];
}

interface TokenEntry {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: UiAmount;
}

interface UiAmount {
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
const TOKEN_PROGRAMS: readonly string[] = [
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
function readTokenAccount(account: StoredAccount) {
  if (!TOKEN_PROGRAMS.includes(account.owner)) return null;
  const data = Buffer.from(account.data, 'base64');
  if (data.length < ACCOUNT_SIZE) return null;
  if (data.length > ACCOUNT_SIZE && data[ACCOUNT_SIZE] !== KIND_TOKEN_ACCOUNT) return null;
  const raw = AccountLayout.decode(data);
  if (raw.state === 0) return null;
  const [mint, owner] = [raw.mint.toBase58(), raw.owner.toBase58()];
  return { mint, owner, program: account.owner, amount: raw.amount };
}

/** Decimals of a mint; 0 if it does not exist. */
function decimalsOf(mint: string, accounts: AccountReader): number {
  const account = accounts(mint);
  return account ? MintLayout.decode(Buffer.from(account.data, 'base64')).decimals : 0;
}

function uiAmount(amount: bigint, decimals: number): UiAmount {
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

/**
 * The chain on the disk: one file of JSON lines that is appended, and sometimes compacted into a new file that replaces it.
 * `append` resolves when its line is on the disk; then the transaction is acknowledged, so a kill -9 loses no acknowledged
 * transaction. The next start drops an incomplete last line, which was never acknowledged.
 */

export interface SavedChain {
  readonly genesis: Genesis;
  readonly setting: ClockSetting;
  readonly accounts: ReadonlyMap<string, StoredAccount>;
  /** Oldest first. */
  readonly landed: readonly LandedTransaction[];
}

type Line =
  | { readonly genesis: Genesis }
  | { readonly setting: ClockSetting }
  | { readonly account: string; readonly is: StoredAccount }
  /** Stored with the accounts after it, so its writes are not applied again. */
  | { readonly past: LandedTransaction }
  | { readonly landed: LandedTransaction };

export interface Store {
  append(
    line: { readonly setting: ClockSetting } | { readonly landed: LandedTransaction },
  ): Promise<void>;
  /** Replaces the file with `chain`, which must not change afterwards. */
  rewrite(chain: SavedChain): Promise<void>;
  close(): Promise<void>;
}

const FILE = 'chain.jsonl';
const FRESH_FILE = 'chain.jsonl.fresh';
/** Compaction removes older transactions. */
const LANDED_KEPT_MAX = 20_000;

/** Opens the folder; `saved` is null if there is no chain. Without a folder nothing is stored. */
export async function openStore(
  folder: string | null,
): Promise<{ store: Store; saved: SavedChain | null }> {
  if (folder === null) return { store: nowhere, saved: null };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, FILE);
  const saved = existsSync(file) ? await load(file) : null;
  return { store: new FileStore(folder), saved };
}

const nowhere: Store = {
  append: async () => {},
  rewrite: async () => {},
  close: async () => {},
};

async function load(file: string): Promise<SavedChain | null> {
  const text = readFileSync(file, 'utf8');
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  if (complete.length < text.length) await truncate(file, Buffer.byteLength(complete));
  let genesis: Genesis | null = null;
  let setting: ClockSetting = { addedSlots: 0, expired: 0 };
  const accounts = new Map<string, StoredAccount>();
  const landed: LandedTransaction[] = [];
  for (const row of complete.split('\n').filter(Boolean)) {
    const line = JSON.parse(row) as Line;
    if ('genesis' in line) genesis = line.genesis;
    else if ('setting' in line) setting = line.setting;
    else if ('account' in line) accounts.set(line.account, line.is);
    else if ('past' in line) landed.push(line.past);
    else {
      landed.push(line.landed);
      for (const { address, after } of line.landed.writes) {
        if (after) accounts.set(address, after);
        else accounts.delete(address);
      }
    }
  }
  return genesis && { genesis, setting, accounts, landed };
}

function* linesOf(chain: SavedChain): Generator<Line> {
  yield { genesis: chain.genesis };
  yield { setting: chain.setting };
  for (const [account, is] of chain.accounts) yield { account, is };
  for (const past of chain.landed.slice(-LANDED_KEPT_MAX)) yield { past };
}

class FileStore implements Store {
  readonly #folder: string;
  #file: FileHandle | null = null;
  /** Lines of the next write, collected during the current one. */
  #batch: { readonly lines: string[]; readonly written: Promise<void> } | null = null;
  /** All writes in sequence. A failure fails all later ones: the chain in memory is ahead of the disk. */
  #work: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  append(line: Line): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    if (this.#batch) {
      this.#batch.lines.push(text);
      return this.#batch.written;
    }
    const lines = [text];
    const written = this.#then(async () => {
      this.#batch = this.#batch?.lines === lines ? null : this.#batch;
      this.#file ??= await open(join(this.#folder, FILE), 'a', 0o600);
      await this.#file.appendFile(lines.join(''));
      await this.#file.datasync();
    });
    this.#batch = { lines, written };
    return written;
  }

  rewrite(chain: SavedChain): Promise<void> {
    // Lines appended from now on are not in `chain`; they go to the new file.
    this.#batch = null;
    return this.#then(async () => {
      const fresh = join(this.#folder, FRESH_FILE);
      const file = await open(fresh, 'w', 0o600);
      for (const line of linesOf(chain)) await file.appendFile(`${JSON.stringify(line)}\n`);
      await file.datasync();
      await file.close();
      await this.#file?.close();
      this.#file = null;
      await rename(fresh, join(this.#folder, FILE));
      syncFolder(this.#folder);
    });
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#file?.close();
    this.#file = null;
  }

  #then(step: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(step);
    return this.#work;
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
