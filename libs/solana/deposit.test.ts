import { ACCOUNT_SIZE, MINT_SIZE, MintLayout, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { readMint } from './deposit.ts';

const mint = Keypair.generate().publicKey;
const NONE = PublicKey.default;

function account(data: Buffer, owner = TOKEN_PROGRAM_ID) {
  return { data, owner, lamports: 1, executable: false };
}

function mintData(decimals: number): Buffer {
  const data = Buffer.alloc(MINT_SIZE);
  MintLayout.encode(
    {
      mintAuthorityOption: 0,
      mintAuthority: NONE,
      supply: 5n,
      decimals,
      isInitialized: true,
      freezeAuthorityOption: 0,
      freezeAuthority: NONE,
    },
    data,
  );
  return data;
}

test('the decimals of a token are those of the chain, else of the server, else 9', () => {
  expect(readMint(mint, account(mintData(6)), 4)).toEqual({
    program: TOKEN_PROGRAM_ID,
    decimals: 6,
  });
  const unknown = account(Buffer.alloc(ACCOUNT_SIZE - 1));
  expect(readMint(mint, unknown, 4).decimals).toBe(4);
  expect(readMint(mint, unknown, null).decimals).toBe(9);
});

test('a mint that the chain does not have, or that is no token, is reported as unreadable', () => {
  for (const info of [null, account(mintData(6), SystemProgram.programId)]) {
    expect(() => readMint(mint, info, 9)).toThrow(/^The token contract could not be read/);
  }
});
