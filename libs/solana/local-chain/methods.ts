import { createHash } from 'node:crypto';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { MEMO_PROGRAM } from '../transaction.ts';
import { type Bank, type Level, SLOTS_PER_EPOCH } from './bank.ts';
import type { Clock } from './clock.ts';
import { invalid, RpcError } from './errors.ts';
import { type LandedTransaction, messageOf, type StoredAccount } from './record.ts';

/** Conversion of stored data to RPC responses. */

type Encoding = 'base58' | 'base64' | 'json' | 'jsonParsed';

/** Rent epoch of a rent-exempt account. */
const RENT_EPOCH = Number(2n ** 64n - 1n);

function accountJson(account: StoredAccount | null, encoding: Encoding) {
  if (!account) return null;
  const bytes = Buffer.from(account.data, 'base64');
  const { lamports, owner, executable } = account;
  const data = encoding === 'base58' ? bs58.encode(bytes) : account.data;
  return {
    lamports: Number(lamports),
    owner,
    executable,
    rentEpoch: RENT_EPOCH,
    space: bytes.length,
    data: [data, encoding === 'base58' ? encoding : 'base64'],
  };
}

function transactionJson(
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

/** Dependencies of the reads. */
interface Ground {
  readonly bank: Bank;
  readonly clock: Clock;
  readonly genesisSeed: string;
  readonly blockhashBlocks: number;
  /** Whether this node hides that transaction. */
  hides(signature: string): boolean;
  /** The first slot in this node's history. */
  keptFrom(): number;
  /** Lag, in blocks, of the machine that returns statuses. */
  lag(): number;
}

export type Method = (params: readonly unknown[]) => unknown;

const ADDRESSES_MAX = 100;
const STATUSES_MAX = 256;
const SIGNATURES_MAX = 1_000;
const ENCODINGS: readonly string[] = ['base58', 'base64', 'json', 'jsonParsed'];
const LEVELS: readonly Level[] = ['processed', 'confirmed', 'finalized'];

/** Read-only methods. */
export function readMethods(ground: Ground): Readonly<Record<string, Method>> {
  return { ...clockMethods(ground), ...accountMethods(ground), ...transactionMethods(ground) };
}

type Options = Readonly<Record<string, unknown>>;

export function optionsOf(params: readonly unknown[], index: number): Options {
  const given = params[index] ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw invalid('Invalid params: invalid type, expected an object');
  }
  return given as Options;
}

/** The commitment of a call; default finalized, as on a real node. */
function levelOf(options: Options, key = 'commitment'): Level {
  const given = options[key] ?? 'finalized';
  const level = LEVELS.find((one) => one === given);
  if (!level) throw invalid(`Invalid params: unknown variant \`${String(given)}\``);
  return level;
}

function encodingOf(options: Options, fallback: Encoding): Encoding {
  const given = options.encoding ?? fallback;
  if (typeof given !== 'string' || !ENCODINGS.includes(given)) {
    throw invalid(`Invalid params: unknown encoding \`${String(given)}\``);
  }
  return given as Encoding;
}

const context = (slot: number) => ({ slot, apiVersion: '2.2.0' });

function clockMethods({ bank, clock, genesisSeed, blockhashBlocks, keptFrom }: Ground) {
  const slot: Method = (params) => bank.slotAt(levelOf(optionsOf(params, 0)));
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '2.2.0', 'feature-set': 0 }),
    getGenesisHash: () => bs58.encode(createHash('sha256').update(genesisSeed).digest()),
    getSlot: slot,
    getBlockHeight: slot,
    getFirstAvailableBlock: () => Math.max(bank.landed()[0]?.slot ?? 0, keptFrom()),
    getBlockTime([at]) {
      if (!Number.isSafeInteger(at)) throw invalid('Invalid params: expected a slot');
      return (at as number) > clock.slot() ? null : clock.timeSOf(at as number);
    },
    getEpochInfo(params) {
      const absoluteSlot = bank.slotAt(levelOf(optionsOf(params, 0)));
      return {
        absoluteSlot,
        blockHeight: absoluteSlot,
        epoch: Math.floor(absoluteSlot / SLOTS_PER_EPOCH),
        slotIndex: absoluteSlot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
        transactionCount: bank.landed().length,
      };
    },
    getLatestBlockhash(params) {
      const at = bank.slotAt(levelOf(optionsOf(params, 0)));
      const lastValidBlockHeight = at + blockhashBlocks;
      return {
        context: context(at),
        value: { blockhash: clock.blockhash(at), lastValidBlockHeight },
      };
    },
    isBlockhashValid(params) {
      const at = bank.slotAt(levelOf(optionsOf(params, 1)));
      // At that block: a blockhash that has expired now was valid for an older block.
      const known = clock.slotOf(String(params[0]), blockhashBlocks + clock.slot() - at);
      return { context: context(at), value: known !== null && known <= at };
    },
    getRecentPrioritizationFees: () => [{ slot: clock.slot(), prioritizationFee: 0 }],
  } satisfies Record<string, Method>;
}

function accountMethods({ bank }: Ground) {
  const show = (address: string, options: Options, fallback: Encoding) =>
    accountJson(bank.account(address, levelOf(options)), encodingOf(options, fallback));
  const within = (options: Options, value: unknown) => ({
    context: context(bank.slotAt(levelOf(options))),
    value,
  });
  return {
    getAccountInfo(params) {
      const options = optionsOf(params, 1);
      return within(options, show(addressOf(params[0]), options, 'base58'));
    },
    getMultipleAccounts(params) {
      const [list] = params;
      const options = optionsOf(params, 1);
      if (!Array.isArray(list)) throw invalid('Invalid params: expected a list of addresses');
      if (list.length > ADDRESSES_MAX)
        throw invalid(`Too many inputs provided; max ${ADDRESSES_MAX}`);
      return within(
        options,
        list.map((one) => show(addressOf(one), options, 'base64')),
      );
    },
    getBalance(params) {
      const options = optionsOf(params, 1);
      const account = bank.account(addressOf(params[0]), levelOf(options));
      return within(options, Number(account?.lamports ?? 0));
    },
    getMinimumBalanceForRentExemption([bytes]) {
      if (!Number.isSafeInteger(bytes) || (bytes as number) < 0) throw invalid('Invalid params');
      return Number(bank.rentOf(bytes as number));
    },
  } satisfies Record<string, Method>;
}

function transactionMethods({ bank, clock, hides, keptFrom, lag }: Ground) {
  const knows = (one: LandedTransaction) => one.slot >= keptFrom() && !hides(one.signature);
  const find = (signature: string) => {
    const landed = bank.find(signature);
    return landed && knows(landed) ? landed : null;
  };
  return {
    getSignatureStatuses([list]) {
      if (!Array.isArray(list)) throw invalid('Invalid params: expected a list of signatures');
      if (list.length > STATUSES_MAX)
        throw invalid(`Too many inputs provided; max ${STATUSES_MAX}`);
      const behind = lag();
      const slot = clock.slot() - behind;
      const value = list.map((one) => {
        const landed = find(signatureOf(one));
        if (!landed || landed.slot > slot) return null;
        const confirmationStatus = bank.levelOf(landed.slot + behind);
        return {
          slot: landed.slot,
          confirmations: confirmationStatus === 'finalized' ? null : slot - landed.slot,
          err: landed.error,
          status: landed.error === null ? { Ok: null } : { Err: landed.error },
          confirmationStatus,
        };
      });
      return { context: context(slot), value };
    },
    getTransaction(params) {
      const given = params[1];
      const options = typeof given === 'string' ? { encoding: given } : optionsOf(params, 1);
      const landed = find(signatureOf(params[0]));
      const level = levelOf(options);
      if (level === 'processed')
        throw invalid('Method does not support commitment below `confirmed`');
      if (!landed || landed.slot > bank.slotAt(level)) return null;
      const { maxSupportedTransactionVersion: max } = options as {
        maxSupportedTransactionVersion?: number;
      };
      return transactionJson(landed, clock.timeSOf(landed.slot), {
        encoding: encodingOf(options, 'json'),
        maxVersion: max,
      });
    },
    getSignaturesForAddress(params) {
      const options = optionsOf(params, 1);
      const {
        limit = SIGNATURES_MAX,
        before,
        until,
      } = options as {
        limit?: number;
        before?: string;
        until?: string;
      };
      if (!Number.isSafeInteger(limit) || limit < 1 || limit > SIGNATURES_MAX) {
        throw invalid(`Invalid limit; max ${SIGNATURES_MAX}`);
      }
      const level = levelOf(options);
      const last = bank.slotAt(level);
      const newest = bank.landed(addressOf(params[0])).filter(knows).reverse();
      const from =
        before === undefined ? 0 : newest.findIndex((one) => one.signature === before) + 1;
      // A node without `before` in its history returns nothing older.
      if (before !== undefined && from === 0) return [];
      const to = until === undefined ? -1 : newest.findIndex((one) => one.signature === until);
      return newest
        .slice(from, to < 0 ? undefined : to)
        .filter((one) => one.slot <= last)
        .slice(0, limit)
        .map(({ signature, slot, error }) => ({
          signature,
          slot,
          err: error,
          memo: null,
          blockTime: clock.timeSOf(slot),
          confirmationStatus: bank.levelOf(slot),
        }));
    },
  } satisfies Record<string, Method>;
}

function signatureOf(value: unknown): string {
  const bytes = typeof value === 'string' ? bs58.decodeUnsafe(value) : undefined;
  if (bytes?.length !== 64) throw new RpcError(-32602, 'Invalid param: Invalid');
  return value as string;
}
