import { assert } from '@reelbook/ledger/assert';
import type { TokenConfig } from '@reelbook/ledger/config/config';
import { toBase58, tokenAccountOf } from '@reelbook/ledger/player/payment-bytes';
import { compose, transferInstructions } from '@reelbook/solana/send-transfer';
import { createWallet } from './wallets.ts';

const [TREASURY, MINT] = [createWallet(900), createWallet(901).address];
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** The mint and the treasury of the payments below. */
export const TEST_TOKEN: TokenConfig = {
  decimals: 9,
  contract: MINT,
  projectWallet: TREASURY.address,
};

/** A payment as the cashier signs it, for no chain. Each attempt has other bytes. */
export function paymentBytes(o: {
  readonly withdrawal: string;
  readonly to: string;
  readonly netMinor: bigint;
  readonly attempt?: number;
  readonly program?: string;
  readonly opensAccount?: boolean;
}): { readonly signature: string; readonly transaction: string } {
  const { withdrawal: memo, netMinor: amountMinor, attempt = 1, program = TOKEN_PROGRAM } = o;
  const wallet = TREASURY.address;
  const tokenAccount = tokenAccountOf(wallet, { mint: MINT, program }) ?? '';
  const terms = { mint: MINT, program, wallet, tokenAccount, decimals: TEST_TOKEN.decimals };
  const transaction = compose(TREASURY, transferInstructions(terms, { ...o, memo, amountMinor }), {
    blockhash: MINT,
    microLamports: attempt,
  });
  const [signature] = transaction.signatures;
  assert(signature, 'it is signed');
  const bytes = Buffer.from(transaction.serialize());
  return { signature: toBase58(signature), transaction: bytes.toString('base64') };
}
