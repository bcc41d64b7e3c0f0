import { randomUUID } from 'node:crypto';
import {
  type Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { MEMO_PROGRAM } from '../transaction.ts';
import type { Bank } from './bank.ts';
import type { Clock, FaultPlan } from './clock.ts';
import { invalid, RpcError, SIGNATURE_FAILURE, textOf } from './errors.ts';
import { addressOf, type Method, optionsOf } from './methods.ts';
import type { LandedTransaction, ReadTransaction } from './record.ts';

/** The methods that change the chain. */
export interface Sender {
  readonly methods: Readonly<Record<string, Method>>;
  /**
   * Signs and runs a transaction whose fee the chain's purse pays. @returns its signature when it is on the disk. Throws if
   * it fails.
   */
  run(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[],
  ): Promise<string>;
  /** Sends SOL from the purse. */
  airdrop(address: string, lamports: bigint): Promise<string>;
  /** Lands delayed transactions that are due. */
  landDue(): void;
}

/** Limit of an airdrop over RPC. */
const AIRDROP_MAX_LAMPORTS = 10_000_000_000;
/** Limit of delayed transactions. */
const LATE_MAX = 10_000;
const PREFLIGHT_FAILED = -32002;
const SIGNATURE_REFUSED = -32003;

export function openSender(o: {
  readonly bank: Bank;
  readonly clock: Clock;
  readonly plan: FaultPlan;
  /** Pays airdrops. */
  readonly purse: Keypair;
  /** Resolves when it is on the disk. */
  keep(landed: LandedTransaction): Promise<void>;
}): Sender {
  const { bank, clock, plan } = o;
  const late: { read: ReadTransaction; atSlot: number }[] = [];

  /** Resolves when the transaction may be acknowledged. */
  async function take(read: ReadTransaction): Promise<string> {
    const order = plan.ofSend();
    if (typeof order === 'number') {
      if (late.length >= LATE_MAX) throw new RpcError(-32005, 'Node is behind');
      late.push({ read, atSlot: clock.slot() + order });
    } else if (order === null) await land(read);
    return read.signature;
  }
  async function land(read: ReadTransaction): Promise<LandedTransaction | null> {
    if (bank.obstacle(read) !== null) return null;
    const landed = bank.run(read);
    if (landed) await o.keep(landed);
    return landed;
  }
  const run: Sender['run'] = async (instructions, signers) => {
    const transaction = signedBy(o.purse, instructions, signers, clock.blockhash(clock.slot()));
    const landed = await land(bank.read(transaction.serialize()));
    if (!landed) throw new Error('the transaction cannot run');
    if (landed.error !== null)
      throw new Error(`${textOf(landed.error)}\n${landed.logs.join('\n')}`);
    return landed.signature;
  };
  const airdrop: Sender['airdrop'] = (address, lamports) => {
    const toPubkey = new PublicKey(address);
    return run([SystemProgram.transfer({ fromPubkey: o.purse.publicKey, toPubkey, lamports })], []);
  };
  return {
    run,
    airdrop,
    landDue() {
      const slot = clock.slot();
      for (let index = late.length - 1; index >= 0; index--) {
        const one = late[index];
        if (!one || one.atSlot > slot) continue;
        late.splice(index, 1);
        // No caller waits; a disk failure fails the next call.
        land(one.read).catch(() => {});
      }
    },
    methods: {
      async sendTransaction(params) {
        const options = optionsOf(params, 1);
        const read = bank.read(decode(params[0], options.encoding ?? 'base58'));
        if (options.skipPreflight !== true) preflight(bank, read);
        return take(read);
      },
      async requestAirdrop(params) {
        const address = addressOf(params[0]);
        const [, lamports] = params;
        if (!Number.isSafeInteger(lamports) || (lamports as number) <= 0) {
          throw invalid('Invalid params: lamports must be an integer above 0');
        }
        if ((lamports as number) > AIRDROP_MAX_LAMPORTS) {
          throw invalid(`Invalid params: at most ${AIRDROP_MAX_LAMPORTS} lamports`);
        }
        return airdrop(address, BigInt(lamports as number));
      },
    },
  };
}

function decode(text: unknown, encoding: unknown): Uint8Array {
  const bytes =
    typeof text !== 'string'
      ? null
      : encoding === 'base64'
        ? Buffer.from(text, 'base64')
        : encoding === 'base58'
          ? (bs58.decodeUnsafe(text) ?? null)
          : null;
  if (!bytes) throw invalid('Invalid params: expected a transaction in base58 or base64');
  return bytes;
}

/** Preflight check: throws RpcError for a transaction that would fail. */
function preflight(bank: Bank, read: ReadTransaction): void {
  const obstacle = bank.obstacle(read);
  const { error, logs, units } = obstacle
    ? { error: obstacle, logs: [], units: 0 }
    : bank.simulate(read);
  if (error === null) return;
  if (error === SIGNATURE_FAILURE) {
    throw new RpcError(SIGNATURE_REFUSED, 'Transaction signature verification failure');
  }
  const data = { err: error, logs, unitsConsumed: units, accounts: null, returnData: null };
  throw new RpcError(PREFLIGHT_FAILED, `Transaction simulation failed: ${textOf(error)}`, data);
}

/** Makes two otherwise equal transactions distinct. */
function signedBy(
  purse: Keypair,
  instructions: readonly TransactionInstruction[],
  signers: readonly Keypair[],
  recentBlockhash: string,
): VersionedTransaction {
  const memo = new TransactionInstruction({
    programId: new PublicKey(MEMO_PROGRAM),
    keys: [],
    data: Buffer.from(randomUUID()),
  });
  const message = new TransactionMessage({
    payerKey: purse.publicKey,
    recentBlockhash,
    instructions: [...instructions, memo],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([purse, ...signers]);
  return transaction;
}
