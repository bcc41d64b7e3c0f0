import { AMOUNT_MAX_MINOR } from '@reelbook/ledger/money';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createInitializePermanentDelegateInstruction,
  createInitializeTransferFeeConfigInstruction,
  createInitializeTransferHookInstruction,
  createMintToInstruction,
  createTransferCheckedWithFeeInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSigner, type Signer } from './keys.ts';
import { MintRefused } from './mint.ts';
import { openChain } from './rpc.ts';
import { verifyTransfer } from './verify-transfer.ts';

let site: TestChain;
let alice: Signer;
beforeEach(async () => {
  site = await startTestChain();
  alice = await site.fund(1_000n);
});
afterEach(() => site.close());

const key = (one: { address: string }) => new PublicKey(one.address);
const FEE_BASIS_POINTS = 250;

async function mintWith(
  extension: ExtensionType | null,
  set: (mint: PublicKey, authority: PublicKey) => TransactionInstruction[],
  o: { decimals?: number; freeze?: boolean } = {},
): Promise<Signer> {
  const mint = createSigner();
  const space = getMintLen(extension === null ? [] : [extension]);
  const connection = new Connection(site.local.url, 'processed');
  const authority = key(site.token.authority);
  await site.local.run(
    [
      SystemProgram.createAccount({
        fromPubkey: new PublicKey(site.local.purse),
        newAccountPubkey: key(mint),
        lamports: await connection.getMinimumBalanceForRentExemption(space),
        space,
        programId: TOKEN_2022_PROGRAM_ID,
      }),
      ...set(key(mint), authority),
      createInitializeMint2Instruction(
        key(mint),
        o.decimals ?? 9,
        authority,
        o.freeze ? authority : null,
        TOKEN_2022_PROGRAM_ID,
      ),
    ],
    [mint],
  );
  site.finalize();
  return mint;
}
const open = (mint: string, allow: ('permanent-delegate' | 'transfer-hook')[] = []) =>
  openChain({ urls: [site.local.url], mint, wallet: site.treasury.address, decimals: 9, allow });
const refusal = (mint: string) => expect(open(mint).terms()).rejects;

test('a transfer fee of the mint is not credited', async () => {
  const mint = await mintWith(ExtensionType.TransferFeeConfig, (one, authority) => [
    createInitializeTransferFeeConfigInstruction(
      one,
      authority,
      authority,
      FEE_BASIS_POINTS,
      1_000_000n,
      TOKEN_2022_PROGRAM_ID,
    ),
  ]);
  const chain = open(mint.address);
  expect((await chain.terms()).transferFee).toEqual({
    basisPoints: FEE_BASIS_POINTS,
    maximumMinor: 1_000_000n,
  });
  const at = (owner: Signer) =>
    getAssociatedTokenAddressSync(key(mint), key(owner), true, TOKEN_2022_PROGRAM_ID);
  const purse = new PublicKey(site.local.purse);
  await site.local.run(
    [alice, site.treasury].map((owner) =>
      createAssociatedTokenAccountIdempotentInstruction(
        purse,
        at(owner),
        key(owner),
        key(mint),
        TOKEN_2022_PROGRAM_ID,
      ),
    ),
    [],
  );
  const authority = key(site.token.authority);
  const give = createMintToInstruction(
    key(mint),
    at(alice),
    authority,
    10_000n,
    [],
    TOKEN_2022_PROGRAM_ID,
  );
  await site.local.run([give], [site.token.authority]);
  const transfer = createTransferCheckedWithFeeInstruction(
    at(alice),
    key(mint),
    at(site.treasury),
    key(alice),
    4_000n,
    9,
    100n,
    [],
    TOKEN_2022_PROGRAM_ID,
  );
  const signature = await site.local.run([transfer], [alice]);
  site.finalize();
  const seen = await chain.transaction(signature, 'finalized');
  if (!seen) throw new Error('it landed');
  expect(verifyTransfer(seen, await chain.terms(), { sender: alice.address })).toMatchObject({
    kind: 'credit',
    amountMinor: 3_900n,
  });
  expect((await chain.treasury()).tokenMinor).toBe(3_900n);
});

test('a permanent delegate or a transfer hook is refused, unless allowed by name', async () => {
  const delegate = await mintWith(ExtensionType.PermanentDelegate, (one, authority) => [
    createInitializePermanentDelegateInstruction(one, authority, TOKEN_2022_PROGRAM_ID),
  ]);
  await refusal(delegate.address).toThrow('permanent delegate');
  await refusal(delegate.address).toBeInstanceOf(MintRefused);
  const { warnings } = await open(delegate.address, ['permanent-delegate']).terms();
  expect(warnings).toEqual([
    'the mint has a permanent delegate, allowed by TOKEN_ALLOW',
    `${site.token.authority.address} may mint more tokens at any time`,
  ]);
  const hook = await mintWith(ExtensionType.TransferHook, (one, authority) => [
    createInitializeTransferHookInstruction(
      one,
      authority,
      TOKEN_PROGRAM_ID,
      TOKEN_2022_PROGRAM_ID,
    ),
  ]);
  await refusal(hook.address).toThrow('transfer hook');
});

test('wrong decimals, no mint and another account are refused; a freeze authority is a warning', async () => {
  const six = await mintWith(null, () => [], { decimals: 6 });
  await refusal(six.address).toThrow('6 decimals');
  await refusal(createSigner().address).toThrow('does not exist');
  await refusal(alice.address).toThrow('not owned by a token program');
  await refusal((await site.chain.terms()).tokenAccount).toThrow('not a mint');
  const frozen = await mintWith(null, () => [], { freeze: true });
  expect((await open(frozen.address).terms()).warnings[0]).toContain('may freeze');
});

test('a mint with a supply above the maximum balance is refused', async () => {
  await expect(site.chain.terms()).resolves.toMatchObject({ mint: site.token.mint.address });
  // Includes the tokens of the treasury and of alice.
  await site.fund(AMOUNT_MAX_MINOR - 1_000_000n * 10n ** 9n - 1_000n);
  await expect(open(site.token.mint.address).terms()).resolves.toBeTruthy();
  await site.fund(1n);
  await refusal(site.token.mint.address).toThrow(
    "its supply is 1000000000.000000001 BSM, and the ledger's maximum is 1000000000 BSM",
  );
});
