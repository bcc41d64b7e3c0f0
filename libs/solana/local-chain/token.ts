import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, PublicKey, SystemProgram } from '@solana/web3.js';
import type { Signer } from '../keys.ts';
import type { LocalChain } from './api.ts';

/** The token of a local chain, and who may make more of it. */
export interface LocalToken {
  readonly mint: Signer;
  readonly authority: Signer;
  readonly decimals: number;
}

/** Makes the mint. @returns whether it did: false where it is there already. */
export async function createMint(local: LocalChain, token: LocalToken): Promise<boolean> {
  const connection = new Connection(local.url, 'processed');
  const mint = new PublicKey(token.mint.address);
  if (await connection.getAccountInfo(mint)) return false;
  const lamports = await connection.getMinimumBalanceForRentExemption(MINT_SIZE);
  await local.run(
    [
      SystemProgram.createAccount({
        fromPubkey: new PublicKey(local.purse),
        newAccountPubkey: mint,
        lamports,
        space: MINT_SIZE,
        programId: TOKEN_PROGRAM_ID,
      }),
      createInitializeMint2Instruction(
        mint,
        token.decimals,
        new PublicKey(token.authority.address),
        null,
      ),
    ],
    [token.mint],
  );
  return true;
}

/** Whether a wallet has a token account, be it empty. */
export async function hasTokens(
  local: LocalChain,
  token: LocalToken,
  wallet: string,
): Promise<boolean> {
  const mint = new PublicKey(token.mint.address);
  const account = getAssociatedTokenAddressSync(mint, new PublicKey(wallet), true);
  return (await new Connection(local.url, 'processed').getAccountInfo(account)) !== null;
}

/** Gives new tokens and SOL to a wallet, opening its token account if need be: all of it or nothing. */
export async function mintTokens(
  local: LocalChain,
  token: LocalToken,
  o: { readonly wallet: string; readonly amountMinor: bigint; readonly lamports: bigint },
): Promise<string> {
  const purse = new PublicKey(local.purse);
  const mint = new PublicKey(token.mint.address);
  const wallet = new PublicKey(o.wallet);
  const account = getAssociatedTokenAddressSync(mint, wallet, true);
  const authority = new PublicKey(token.authority.address);
  return local.run(
    [
      createAssociatedTokenAccountIdempotentInstruction(purse, account, wallet, mint),
      createMintToInstruction(mint, account, authority, o.amountMinor),
      SystemProgram.transfer({ fromPubkey: purse, toPubkey: wallet, lamports: o.lamports }),
    ],
    [token.authority],
  );
}
