import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { MEMO_PROGRAM } from '../transaction.ts';
import { invalid, RpcError } from './errors.ts';
import {
  type AccountReader,
  decimalsOf,
  type LandedTransaction,
  messageOf,
  readTokenAccount,
  type StoredAccount,
  uiAmount,
} from './record.ts';

/** Conversion of stored data to RPC responses. */

export type Encoding = 'base58' | 'base64' | 'json' | 'jsonParsed';

/** Rent epoch of a rent-exempt account. */
const RENT_EPOCH = Number(2n ** 64n - 1n);

export function accountJson(
  account: StoredAccount | null,
  encoding: Encoding,
  accounts: AccountReader,
  slice?: { readonly offset: number; readonly length: number },
) {
  if (!account) return null;
  const bytes = Buffer.from(account.data, 'base64');
  const { lamports, owner, executable } = account;
  const base = { lamports: Number(lamports), owner, executable, rentEpoch: RENT_EPOCH };
  const parsed = encoding === 'jsonParsed' ? parsedToken(account, accounts) : null;
  if (parsed) return { ...base, space: bytes.length, data: parsed };
  const shown = slice ? bytes.subarray(slice.offset, slice.offset + slice.length) : bytes;
  const data = encoding === 'base58' ? bs58.encode(shown) : shown.toString('base64');
  return {
    ...base,
    space: bytes.length,
    data: [data, encoding === 'base58' ? encoding : 'base64'],
  };
}

/** A parsed token account; null for any other account, which a real node shows as bytes too. */
function parsedToken(account: StoredAccount, accounts: AccountReader) {
  const token = readTokenAccount(account);
  if (!token) return null;
  const { raw, mint, owner, amount } = token;
  const info = {
    mint,
    owner,
    isNative: raw.isNativeOption === 1,
    state: raw.state === 2 ? 'frozen' : 'initialized',
    tokenAmount: uiAmount(amount, decimalsOf(mint, accounts)),
    ...(raw.delegateOption === 1 ? { delegate: raw.delegate.toBase58() } : {}),
  };
  const program = token.program.startsWith('Tokenz') ? 'spl-token-2022' : 'spl-token';
  const space = Buffer.from(account.data, 'base64').length;
  return { program, space, parsed: { type: 'account', info } };
}

export function transactionJson(
  landed: LandedTransaction,
  timeS: number,
  o: { readonly encoding: Encoding; readonly maxVersion: number | undefined },
) {
  const bytes = Buffer.from(landed.bytes, 'base64');
  const { message, signatures } = VersionedTransaction.deserialize(bytes);
  if (message.version !== 'legacy' && (o.maxVersion === undefined || o.maxVersion < 0)) {
    throw new RpcError(
      -32015,
      'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
    );
  }
  const body = {
    signatures: signatures.map((one) => bs58.encode(one)),
    message: o.encoding === 'jsonParsed' ? parsedMessage(landed) : plainMessage(landed),
  };
  return {
    slot: landed.slot,
    blockTime: timeS,
    transaction: transactionIn(o.encoding, bytes, body),
    meta: metaJson(landed),
    ...(o.maxVersion === undefined ? {} : { version: message.version }),
  };
}

function transactionIn(encoding: Encoding, bytes: Buffer, body: object) {
  switch (encoding) {
    case 'json':
    case 'jsonParsed':
      return body;
    case 'base58':
      return [bs58.encode(bytes), 'base58'];
    case 'base64':
      return [bytes.toString('base64'), 'base64'];
  }
}

function metaJson(landed: LandedTransaction) {
  return {
    err: landed.error,
    status: landed.error === null ? { Ok: null } : { Err: landed.error },
    fee: landed.fee,
    preBalances: landed.preBalances,
    postBalances: landed.postBalances,
    innerInstructions: landed.inner,
    preTokenBalances: landed.preTokens,
    postTokenBalances: landed.postTokens,
    logMessages: landed.logs,
    rewards: [],
    loadedAddresses: landed.loaded,
    computeUnitsConsumed: landed.units,
  };
}

function plainMessage(landed: LandedTransaction) {
  const message = messageOf(landed);
  const tables = message.addressTableLookups.map((lookup) => ({
    accountKey: lookup.accountKey.toBase58(),
    writableIndexes: [...lookup.writableIndexes],
    readonlyIndexes: [...lookup.readonlyIndexes],
  }));
  return {
    header: { ...message.header },
    accountKeys: message.staticAccountKeys.map((key) => key.toBase58()),
    recentBlockhash: message.recentBlockhash,
    instructions: message.compiledInstructions.map((one) => ({
      programIdIndex: one.programIdIndex,
      accounts: [...one.accountKeyIndexes],
      data: bs58.encode(one.data),
      stackHeight: null,
    })),
    ...(message.version === 'legacy' ? {} : { addressTableLookups: tables }),
  };
}

function parsedMessage(landed: LandedTransaction) {
  const message = messageOf(landed);
  const statics = message.staticAccountKeys.map((key) => key.toBase58());
  const { writable, readonly } = landed.loaded;
  const keys = [...statics, ...writable, ...readonly];
  const at = (index: number) => keys[index] ?? '';
  return {
    accountKeys: keys.map((pubkey, index) => ({
      pubkey,
      signer: message.isAccountSigner(index),
      writable: message.isAccountWritable(index),
      source: index < statics.length ? 'transaction' : 'lookupTable',
    })),
    recentBlockhash: message.recentBlockhash,
    instructions: message.compiledInstructions.map((one) =>
      at(one.programIdIndex) === MEMO_PROGRAM
        ? {
            program: 'spl-memo',
            programId: MEMO_PROGRAM,
            parsed: new TextDecoder().decode(one.data),
            stackHeight: null,
          }
        : {
            programId: at(one.programIdIndex),
            accounts: one.accountKeyIndexes.map(at),
            data: bs58.encode(one.data),
            stackHeight: null,
          },
    ),
  };
}

/** The canonical address. Throws RpcError for any other text. */
export function addressOf(value: unknown): string {
  try {
    if (typeof value === 'string') return new PublicKey(value).toBase58();
  } catch {
    // Thrown below.
  }
  throw invalid('Invalid param: Invalid');
}
