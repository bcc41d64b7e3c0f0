import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, PublicKey, SystemProgram } from '@solana/web3.js';
import type { Signer } from '../keys.ts';
import type { LocalChain } from './errors.ts';

/** The token of a local chain and its mint authority. */
export interface LocalToken {
  readonly mint: Signer;
  readonly authority: Signer;
  readonly decimals: number;
  /** Transfer fee in basis points, for a Token-2022 mint; without it the mint is a plain SPL token. */
  readonly feeBasisPoints?: number;
}

const programOf = ({ feeBasisPoints }: LocalToken) =>
  feeBasisPoints === undefined ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID;
const FEE_MAX_MINOR = 2n ** 63n;

/** Creates the mint. @returns false if it exists. */
export async function createMint(local: LocalChain, token: LocalToken): Promise<boolean> {
  const connection = new Connection(local.url, 'processed');
  const mint = new PublicKey(token.mint.address);
  if (await connection.getAccountInfo(mint)) return false;
  const program = programOf(token);
  const extensions = token.feeBasisPoints === undefined ? [] : [ExtensionType.TransferFeeConfig];
  const space = getMintLen(extensions);
  const authority = new PublicKey(token.authority.address);
  const keepsFee = (basisPoints: number) =>
    createInitializeTransferFeeConfigInstruction(
      ...([mint, authority, authority, basisPoints, FEE_MAX_MINOR, program] as const),
    );
  await local.run(
    [
      SystemProgram.createAccount({
        fromPubkey: new PublicKey(local.purse),
        newAccountPubkey: mint,
        lamports: await connection.getMinimumBalanceForRentExemption(space),
        space,
        programId: program,
      }),
      ...(token.feeBasisPoints === undefined ? [] : [keepsFee(token.feeBasisPoints)]),
      createInitializeMint2Instruction(mint, token.decimals, authority, null, program),
    ],
    [token.mint],
  );
  return true;
}

/** Whether a wallet has a token account, empty or not. */
export async function hasTokens(
  local: LocalChain,
  token: LocalToken,
  wallet: string,
): Promise<boolean> {
  const mint = new PublicKey(token.mint.address);
  const owner = new PublicKey(wallet);
  const account = getAssociatedTokenAddressSync(mint, owner, true, programOf(token));
  return (await new Connection(local.url, 'processed').getAccountInfo(account)) !== null;
}

/** Mints tokens and sends SOL to a wallet in one transaction, opening its token account if it is missing. */
export async function mintTokens(
  local: LocalChain,
  token: LocalToken,
  o: { readonly wallet: string; readonly amountMinor: bigint; readonly lamports: bigint },
): Promise<string> {
  const purse = new PublicKey(local.purse);
  const mint = new PublicKey(token.mint.address);
  const wallet = new PublicKey(o.wallet);
  const program = programOf(token);
  const account = getAssociatedTokenAddressSync(mint, wallet, true, program);
  const authority = new PublicKey(token.authority.address);
  return local.run(
    [
      createAssociatedTokenAccountIdempotentInstruction(purse, account, wallet, mint, program),
      createMintToInstruction(mint, account, authority, o.amountMinor, [], program),
      SystemProgram.transfer({ fromPubkey: purse, toPubkey: wallet, lamports: o.lamports }),
    ],
    [token.authority],
  );
}
