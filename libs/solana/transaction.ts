import type { VersionedTransactionResponse } from '@solana/web3.js';
import bs58 from 'bs58';

/** Signed and not sent. Whoever holds it can pay, once; all of it goes into the ledger before it is sent. */
export interface SignedTransfer {
  /** Its id on the chain, known before it is sent. */
  readonly signature: string;
  /** The whole transaction in base64. */
  readonly bytes: string;
  /** It can land in no block above this height. */
  readonly lastValidBlockHeight: number;
  /** The slot of its signing: `Chain.absence` asks only nodes that remember so far. */
  readonly slot: number;
}

/** A transaction as the chain reports it, reduced to what money hangs on. Plain data; addresses in base58. */
export interface ChainTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Seconds since 1970; null where the node does not know. */
  readonly timeS: number | null;
  /** Null when it succeeded, else the chain's own words. A failed transaction moved nothing but its fee. */
  readonly error: string | null;
  readonly signers: readonly string[];
  /** Token accounts that it touched, as they were before. One that did not exist is not in it. */
  readonly before: readonly TokenBalance[];
  /** The same after. One that was closed is not in it. */
  readonly after: readonly TokenBalance[];
  /** Texts of the memo program, in their order, those of inner instructions too. */
  readonly memos: readonly string[];
}

export interface TokenBalance {
  readonly account: string;
  readonly mint: string;
  /** Who may move it; empty where a node does not say. */
  readonly owner: string;
  /** The token program that it belongs to; empty where a node does not say. */
  readonly program: string;
  readonly amountMinor: bigint;
}

/** The memo program; version 1 is still used by some wallets. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const MEMO_PROGRAMS: readonly string[] = [
  MEMO_PROGRAM,
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
];

/** Reads what `getTransaction` answered. Throws when the node left out what says where the money went. */
export function readTransaction(
  signature: string,
  response: VersionedTransactionResponse,
): ChainTransaction {
  const { meta, slot, blockTime, transaction } = response;
  if (!meta?.preTokenBalances || !meta.postTokenBalances) {
    throw new Error('the node reports no token balances of the transaction');
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
    slot,
    timeS: blockTime ?? null,
    error: meta.err === null ? null : errorText(meta.err),
    signers: keys.slice(0, message.header.numRequiredSignatures),
    before: balances(meta.preTokenBalances),
    after: balances(meta.postTokenBalances),
    memos: memosOf(response, at),
  };
}

const SIGNATURE_BYTES = 64;

/** Whether a text can be a signature at all: a node refuses to look for any other. */
export function isSignature(text: string): boolean {
  return bs58.decodeUnsafe(text)?.length === SIGNATURE_BYTES;
}

/** The chain's word for what went wrong: a name, or JSON such as `{"InstructionError":[0,{"Custom":1}]}`. */
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
