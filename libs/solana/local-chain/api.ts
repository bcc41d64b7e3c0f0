import type { TransactionInstruction } from '@solana/web3.js';
import type { Signer } from '../keys.ts';
import type { Mischief } from './mischief.ts';

export interface LocalChainOptions {
  /** Where its state is kept across restarts; null keeps it in memory alone. */
  readonly folder: string | null;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** A block comes this often; 400 as on a real chain. */
  readonly slotMs?: number;
  /** How old a block must be to count as confirmed; 400. */
  readonly confirmAfterMs?: number;
  /** The same for finalized; 13,000 on a real chain, 2,000 here. */
  readonly finalizeAfterMs?: number;
  /** Blocks for which a blockhash can be used; 150 as on a real chain. */
  readonly blockhashBlocks?: number;
  /** `manual`: blocks come by `advance` alone, so that a test needs no clock. */
  readonly clock?: 'time' | 'manual';
}

/** A Solana chain of one's own: real programs, real signatures, no stake and no network. */
export interface LocalChain {
  /** Its RPC; the websocket answers on the same port. */
  readonly url: string;
  /** Two nodes of the one chain: `url`, and another that can be told to misbehave by itself. */
  readonly urls: readonly [string, string];
  readonly mischief: Mischief;
  /** The address that pays airdrops and the fees of `run`, and that signs both. */
  readonly purse: string;
  /** Gives SOL. @returns the signature of the transaction. */
  airdrop(address: string, lamports: bigint): Promise<string>;
  /** Runs a transaction at once, its fee paid by the chain. @returns its signature. Throws when it fails. */
  run(instructions: readonly TransactionInstruction[], signers: readonly Signer[]): Promise<string>;
  /** So many blocks pass at once: what was sent becomes confirmed and final, blockhashes expire. */
  advance(blocks: number): void;
  /** Blocks until all that is on the chain now is final. */
  readonly blocksToFinal: number;
  /** Resolves when all that it acknowledged is on the disk. */
  close(): Promise<void>;
}
