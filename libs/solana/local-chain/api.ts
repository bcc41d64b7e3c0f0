import type { TransactionInstruction } from '@solana/web3.js';
import type { Signer } from '../keys.ts';
import type { FaultControl } from './faults.ts';

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
