import { PublicKey, SystemProgram } from '@solana/web3.js';
import machine, { type TransactionMetadata } from 'litesvm/dist/internal.js';
import type { Clock } from './clock.ts';
import {
  ALREADY_PROCESSED,
  BLOCKHASH_NOT_FOUND,
  errorOf,
  landsFailed,
  type TransactionError,
} from './errors.ts';
import {
  type AccountReader,
  innerOf,
  type LandedTransaction,
  messageOf,
  type ReadTransaction,
  readBytes,
  type StoredAccount,
  tokenEntries,
  type Write,
} from './record.ts';

/** Transactions in the order of landing, indexed by signature and address. */
function openLog(landed: readonly LandedTransaction[]) {
  const list: LandedTransaction[] = [];
  const bySignature = new Map<string, LandedTransaction>();
  const byAddress = new Map<string, LandedTransaction[]>();
  const add = (one: LandedTransaction) => {
    list.push(one);
    bySignature.set(one.signature, one);
    for (const key of keysOf(one)) {
      const own = byAddress.get(key) ?? [];
      own.push(one);
      byAddress.set(key, own);
    }
  };
  for (const one of landed) add(one);
  return {
    add,
    find: (signature: string) => bySignature.get(signature) ?? null,
    list: (address?: string) => (address === undefined ? list : (byAddress.get(address) ?? [])),
    /** The first write to that address after the slot. */
    firstWriteAfter(slot: number, address: string): Write | null {
      let first: Write | null = null;
      const own = byAddress.get(address) ?? [];
      for (let index = own.length - 1; index >= 0; index--) {
        const one = own[index];
        if (!one || one.slot <= slot) break;
        first = one.writes.find((write) => write.address === address) ?? first;
      }
      return first;
    },
    /** Removes that transaction and all later ones. */
    cutAt(signature: string): readonly LandedTransaction[] {
      const cut = list.splice(list.findIndex((one) => one.signature === signature));
      for (const one of cut) {
        bySignature.delete(one.signature);
        for (const key of keysOf(one)) byAddress.get(key)?.pop();
      }
      return cut;
    },
  };
}

/** The distinct addresses of a transaction. */
function keysOf(one: LandedTransaction): readonly string[] {
  const known = keysKnown.get(one) ?? [
    ...messageOf(one).staticAccountKeys.map((key) => key.toBase58()),
    ...one.loaded.writable,
    ...one.loaded.readonly,
  ];
  keysKnown.set(one, known);
  return known;
}
const keysKnown = new WeakMap<LandedTransaction, readonly string[]>();

/**
 * The accounts and transactions of the chain at each level. The virtual machine has only the current state; older states
 * are derived from the values that later transactions overwrote.
 */

export type Level = 'processed' | 'confirmed' | 'finalized';

interface Simulated {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly units: number;
}

export interface Bank {
  /** The newest slot at that level. */
  slotAt(level: Level): number;
  /** The level that a slot has reached. */
  levelOf(slot: number): Level;
  account(address: string, level: Level): StoredAccount | null;
  rentOf(bytes: number): bigint;
  read(bytes: Uint8Array): ReadTransaction;
  /** Why it cannot run (blockhash expired, or processed already), or null. */
  obstacle(read: ReadTransaction): TransactionError | null;
  simulate(read: ReadTransaction): Simulated;
  /** Runs it. Null if it did not land: no fee and no effect. */
  run(read: ReadTransaction): LandedTransaction | null;
  find(signature: string): LandedTransaction | null;
  /** Landed transactions, oldest first, optionally of one address. */
  landed(address?: string): readonly LandedTransaction[];
  /** A copy of every account that is not built in. */
  accounts(): ReadonlyMap<string, StoredAccount>;
  /** Removes a transaction that is not final; later ones run again. Throws for a final or an unknown one. */
  lose(signature: string): void;
}

interface BankOptions {
  readonly clock: Clock;
  readonly confirmBlocks: number;
  readonly finalBlocks: number;
  readonly blockhashBlocks: number;
  /** The initial state; transactions oldest first. */
  readonly accounts: ReadonlyMap<string, StoredAccount>;
  readonly landed: readonly LandedTransaction[];
}

/** Lookup tables require the hash of a slot within this number of slots. */
const SLOT_HASHES = 150;
export const SLOTS_PER_EPOCH = 432_000;
/** Rent epoch of rent-exempt accounts: the largest 64-bit number. */
const RENT_EXEMPT_EPOCH = 2n ** 64n - 1n;

export function openBank(o: BankOptions): Bank {
  const { clock } = o;
  const svm = new machine.LiteSvm();
  // Checked here instead: blockhashes follow the clock, and a dropped transaction may run again.
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  svm.setSigverify(true);
  const now: AccountReader = (address) => readAccount(svm, address);
  for (const [address, account] of o.accounts) writeAccount(svm, address, account);
  const log = openLog(o.landed);
  const addresses = new Set(o.accounts.keys());
  const slotAt = (level: Level) => {
    const behind = { processed: 0, confirmed: o.confirmBlocks, finalized: o.finalBlocks }[level];
    return Math.max(0, clock.slot() - behind);
  };
  const run = (read: ReadTransaction): LandedTransaction | null => {
    setTime(svm, clock);
    const landed = runOn(svm, read, clock.slot());
    if (!landed) return null;
    log.add(landed);
    for (const { address } of landed.writes) addresses.add(address);
    return landed;
  };
  return {
    slotAt,
    levelOf(slot) {
      if (slot <= slotAt('finalized')) return 'finalized';
      return slot <= slotAt('confirmed') ? 'confirmed' : 'processed';
    },
    account(address, level) {
      const write = log.firstWriteAfter(slotAt(level), address);
      return write ? write.before : now(address);
    },
    rentOf: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    read: (bytes) => readBytes(bytes, now),
    obstacle(read) {
      if (log.find(read.signature)) return ALREADY_PROCESSED;
      const { recentBlockhash } = read.transaction.message;
      return clock.slotOf(recentBlockhash, o.blockhashBlocks) === null ? BLOCKHASH_NOT_FOUND : null;
    },
    simulate(read) {
      setTime(svm, clock);
      const result = svm.simulateVersionedTransaction(read.bytes);
      const error = result instanceof machine.FailedTransactionMetadata ? errorOf(result) : null;
      const meta = result.meta();
      return { error, logs: meta.logs(), units: Number(meta.computeUnitsConsumed()) };
    },
    run,
    find: log.find,
    landed: log.list,
    accounts: () =>
      new Map(
        [...addresses].flatMap((address) => {
          const account = now(address);
          return account ? [[address, account] as const] : [];
        }),
      ),
    lose(signature) {
      const lost = log.find(signature);
      if (!lost) throw new Error('the transaction is not on the chain');
      if (lost.slot <= slotAt('finalized')) throw new Error('it is final');
      const younger = log.cutAt(signature);
      for (const { writes } of [...younger].reverse()) {
        for (const { address, before } of writes) writeAccount(svm, address, before);
      }
      for (const { bytes } of younger.slice(1)) {
        run(readBytes(Buffer.from(bytes, 'base64'), now));
      }
    },
  };
}

function runOn(
  svm: machine.LiteSvm,
  read: ReadTransaction,
  slot: number,
): LandedTransaction | null {
  const now: AccountReader = (address) => readAccount(svm, address);
  const before = stateOf(read, now);
  const result = svm.sendVersionedTransaction(read.bytes);
  const error = result instanceof machine.FailedTransactionMetadata ? errorOf(result) : null;
  if (error !== null && !landsFailed(error)) return null;
  const meta = result instanceof machine.FailedTransactionMetadata ? result.meta() : result;
  const after = stateOf(read, now);
  return {
    signature: read.signature,
    bytes: Buffer.from(read.bytes).toString('base64'),
    slot,
    error,
    fee: feeOf(meta),
    logs: meta.logs(),
    units: Number(meta.computeUnitsConsumed()),
    inner: innerOf(meta),
    loaded: read.loaded,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokens: before.tokens,
    postTokens: after.tokens,
    writes: writesOf(read, before.accounts, after.accounts),
  };
}

function stateOf(read: ReadTransaction, now: AccountReader) {
  const accounts = read.keys.map((key) => now(key.toBase58()));
  return {
    accounts,
    lamports: accounts.map((account) => Number(account?.lamports ?? 0)),
    tokens: tokenEntries(read.keys, now),
  };
}

function writesOf(
  read: ReadTransaction,
  before: readonly (StoredAccount | null)[],
  after: readonly (StoredAccount | null)[],
): Write[] {
  return read.keys.flatMap((key, index) => {
    const write = {
      address: key.toBase58(),
      before: before[index] ?? null,
      after: after[index] ?? null,
    };
    const same = JSON.stringify(write.before) === JSON.stringify(write.after);
    return read.writable[index] && !same ? write : [];
  });
}

/** The virtual machine reports the fee only in its last log line. */
function feeOf(meta: TransactionMetadata): number {
  return Number(/.*fee: (\d+)/s.exec(meta.toString())?.[1] ?? 0);
}

function setTime(svm: machine.LiteSvm, clock: Clock): void {
  const slot = clock.slot();
  const time = svm.getClock();
  if (time.slot === BigInt(slot)) return;
  time.slot = BigInt(slot);
  time.epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
  time.unixTimestamp = BigInt(clock.timeSOf(slot));
  svm.setClock(time);
  svm.setSlotHashes(
    Array.from({ length: SLOT_HASHES }, (_, age) => ({
      slot: BigInt(slot - 1 - age),
      hash: clock.blockhash(slot - 1 - age),
    })),
  );
}

function readAccount(svm: machine.LiteSvm, address: string): StoredAccount | null {
  const account = svm.getAccount(new PublicKey(address).toBytes());
  return (
    account && {
      lamports: account.lamports().toString(),
      data: Buffer.from(account.data()).toString('base64'),
      owner: new PublicKey(account.owner()).toBase58(),
      executable: account.executable(),
    }
  );
}

/** Null removes the account: the virtual machine deletes accounts without lamports. */
function writeAccount(svm: machine.LiteSvm, address: string, account: StoredAccount | null): void {
  const { lamports, data, owner, executable } = account ?? NOTHING;
  svm.setAccount(
    new PublicKey(address).toBytes(),
    new machine.Account(
      BigInt(lamports),
      Buffer.from(data, 'base64'),
      new PublicKey(owner).toBytes(),
      executable,
      RENT_EXEMPT_EPOCH,
    ),
  );
}

const NOTHING: StoredAccount = {
  lamports: '0',
  data: '',
  owner: SystemProgram.programId.toBase58(),
  executable: false,
};
