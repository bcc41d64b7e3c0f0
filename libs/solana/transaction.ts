import { hash } from 'node:crypto';
import { canonical } from '@reelbook/ledger/codec';
import type { VersionedMessage, VersionedTransactionResponse } from '@solana/web3.js';
import bs58 from 'bs58';

/** A signed transaction. Its bytes can pay once; all fields are recorded before it is sent. */
export interface SignedTransfer {
  /** Its id on the chain, known before it is sent. */
  readonly signature: string;
  /** The serialized transaction in base64. */
  readonly bytes: string;
  /** It can land in no block above this height. */
  readonly lastValidBlockHeight: number;
  /** The slot at signing: `Chain.absence` requires nodes whose history reaches it. */
  readonly slot: number;
}

/** A transaction of the chain, reduced to the fields that matter for money. Plain data; addresses in base58. */
export interface ChainTransaction {
  readonly signature: string;
  /** SHA-256 in hex of the message: what its signers signed, and so what it did on the chain. */
  readonly message: string;
  readonly slot: number;
  /** Seconds since 1970; null if the node does not know it. */
  readonly timeS: number | null;
  /** Null on success, else the chain's error. A failed transaction moved only its fee. */
  readonly error: string | null;
  readonly signers: readonly string[];
  /** Token accounts of the transaction before it, without accounts that did not exist. */
  readonly before: readonly TokenBalance[];
  /** Token accounts after it, without closed ones. */
  readonly after: readonly TokenBalance[];
  /** Memos in order, also of inner instructions. */
  readonly memos: readonly string[];
}

export interface TokenBalance {
  readonly account: string;
  readonly mint: string;
  /** The owner; empty if the node does not report it. */
  readonly owner: string;
  /** Its token program; empty if the node does not report it. */
  readonly program: string;
  readonly amountMinor: bigint;
}

/** The memo program; version 1 is still used by some wallets. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const MEMO_PROGRAMS: readonly string[] = [
  MEMO_PROGRAM,
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
];

/** Parses a response of `getTransaction`. Throws if it is of another transaction, or the token balances are missing. */
export function readTransaction(
  signature: string,
  response: VersionedTransactionResponse,
): ChainTransaction {
  const { meta, slot, blockTime, transaction } = response;
  if (!meta?.preTokenBalances || !meta.postTokenBalances) {
    throw new Error('the node reports no token balances of the transaction');
  }
  if (transaction.signatures[0] !== signature) {
    throw new Error('the node returned another transaction');
  }
  const { message } = transaction;
  const loaded = meta.loadedAddresses ?? { writable: [], readonly: [] };
  const keys = [...message.staticAccountKeys, ...loaded.writable, ...loaded.readonly].map((key) =>
    key.toBase58(),
  );
  const at = (index: number) => {
    const key = keys[index];
    if (key === undefined) throw new Error(`the transaction has no account ${index}`);
    return key;
  };
  const balances = (list: NonNullable<typeof meta.preTokenBalances>): TokenBalance[] =>
    list.map(({ accountIndex, mint, owner, programId, uiTokenAmount }) => ({
      account: at(accountIndex),
      mint,
      owner: owner ?? '',
      program: programId ?? '',
      amountMinor: BigInt(uiTokenAmount.amount),
    }));
  return {
    signature,
    message: hashOf(message),
    slot,
    timeS: blockTime ?? null,
    error: meta.err === null ? null : errorText(meta.err),
    signers: keys.slice(0, message.header.numRequiredSignatures),
    before: balances(meta.preTokenBalances),
    after: balances(meta.postTokenBalances),
    memos: memosOf(response, at),
  };
}

/** Of the fields and not of the bytes, because the library cannot serialize version 1. */
function hashOf(message: VersionedMessage): string {
  const { version, header, staticAccountKeys, recentBlockhash, compiledInstructions } = message;
  const fields = {
    version,
    header,
    recentBlockhash,
    lookups: message.addressTableLookups,
    keys: staticAccountKeys.map((key) => key.toBase58()),
    instructions: compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      programIdIndex,
      accounts: [...accountKeyIndexes],
      data: bs58.encode(data),
    })),
    config: 'transactionConfig' in message ? message.transactionConfig : null,
  };
  return hash('sha256', canonical(JSON.parse(JSON.stringify(fields))));
}

const SIGNATURE_BYTES = 64;

/** Whether a text has the form of a signature: nodes refuse any other. */
export function isSignature(text: string): boolean {
  return text.length <= 88 && bs58.decodeUnsafe(text)?.length === SIGNATURE_BYTES;
}

/** The chain's error as text: a name, or JSON such as `{"InstructionError":[0,{"Custom":1}]}`. */
export function errorText(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function memosOf(
  { transaction, meta }: VersionedTransactionResponse,
  at: (index: number) => string,
): string[] {
  const inner = new Map((meta?.innerInstructions ?? []).map((one) => [one.index, one]));
  const memos: string[] = [];
  for (const [index, outer] of transaction.message.compiledInstructions.entries()) {
    if (MEMO_PROGRAMS.includes(at(outer.programIdIndex))) memos.push(textOf(outer.data));
    for (const { programIdIndex, data } of inner.get(index)?.instructions ?? []) {
      if (MEMO_PROGRAMS.includes(at(programIdIndex))) memos.push(textOf(bs58.decode(data)));
    }
  }
  return memos;
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
