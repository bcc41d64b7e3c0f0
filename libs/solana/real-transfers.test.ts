import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  Connection,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSigner, keypair, type Signer } from './keys.ts';
import type { Chain } from './rpc.ts';
import { MEMO_PROGRAM } from './transaction.ts';
import { verifyTransfer } from './verify-transfer.ts';

let site: TestChain;
let alice: Signer;
let bob: Signer;
beforeEach(async () => {
  site = await startTestChain();
  [alice, bob] = [await site.fund(1_000n), await site.fund(1_000n)];
});
afterEach(() => site.close());

const key = (one: { address: string }) => new PublicKey(one.address);
const tokenOf = (owner: { address: string }) =>
  getAssociatedTokenAddressSync(key(site.token.mint), key(owner), true);
const pay = (from: Signer, amount: bigint, to = tokenOf(site.treasury), authority = from) =>
  createTransferCheckedInstruction(
    tokenOf(from),
    key(site.token.mint),
    to,
    key(authority),
    amount,
    9,
  );

async function verify(instructions: TransactionInstruction[], signers: Signer[], sender = alice) {
  return verifyOn(site.chain, await site.local.run(instructions, signers), sender);
}
async function verifyOn(chain: Chain, signature: string, sender: Signer) {
  site.finalize();
  const seen = await chain.transaction(signature, 'finalized');
  if (!seen) throw new Error('it landed');
  return verifyTransfer(seen, await chain.terms(), { sender: sender.address });
}

test('a deposit as the player app sends it', async () => {
  const verdict = await verifyOn(site.chain, await site.deposit(alice, 400n), alice);
  expect(verdict).toMatchObject({ kind: 'credit', amountMinor: 400n, sender: alice.address });
  expect(await site.chain.signatures({ limit: 10 })).toMatchObject([{ failed: false }, {}]);
});

test('it is not visible before it is final', async () => {
  const signature = await site.deposit(alice, 400n);
  expect(await site.chain.transaction(signature, 'finalized')).toBeNull();
  expect(await site.chain.signatures({ limit: 10 })).toHaveLength(1);
  site.local.faults.lose(signature);
  site.finalize();
  expect(await site.chain.transaction(signature, 'finalized')).toBeNull();
  expect(await site.chain.walletBalance(alice.address)).toBe(1_000n);
});

describe('the credit is the increase of the treasury account', () => {
  test('several transfers of one player in one transaction', async () => {
    expect(await verify([pay(alice, 5n), pay(alice, 7n)], [alice])).toMatchObject({
      kind: 'credit',
      amountMinor: 12n,
    });
  });
  test('there and half of it back', async () => {
    const back = pay(site.treasury, 3n, tokenOf(alice));
    expect(await verify([pay(alice, 5n), back], [alice, site.treasury])).toMatchObject({
      kind: 'credit',
      amountMinor: 2n,
    });
  });
  test('there and all of it back is nothing', async () => {
    const back = pay(site.treasury, 5n, tokenOf(alice));
    expect(await verify([pay(alice, 5n), back], [alice, site.treasury])).toMatchObject({
      reason: 'outgoing',
    });
  });
  test('to oneself is nothing', async () => {
    expect(await verify([pay(alice, 5n, tokenOf(alice))], [alice])).toMatchObject({
      kind: 'nothing',
    });
  });
  test('an account that is emptied and closed', async () => {
    const close = createCloseAccountInstruction(tokenOf(alice), key(alice), key(alice));
    expect(await verify([pay(alice, 1_000n), close], [alice])).toMatchObject({
      kind: 'credit',
      amountMinor: 1_000n,
    });
  });
  test('next to an account that another program opens by inner instructions', async () => {
    const carol = createSigner();
    const open = createAssociatedTokenAccountIdempotentInstruction(
      key({ address: site.local.purse }),
      tokenOf(carol),
      key(carol),
      key(site.token.mint),
    );
    expect(await verify([open, pay(alice, 9n)], [alice])).toMatchObject({ amountMinor: 9n });
  });
});

describe('unmatched deposits', () => {
  test('two payers', async () => {
    const verdict = await verify([pay(alice, 5n), pay(bob, 7n)], [alice, bob]);
    expect(verdict).toMatchObject({ reason: 'several-sources', amountMinor: 12n });
  });
  test('minted to us', async () => {
    const mint = createMintToInstruction(
      key(site.token.mint),
      tokenOf(site.treasury),
      key(site.token.authority),
      50n,
    );
    expect(await verify([mint], [site.token.authority])).toMatchObject({ reason: 'no-source' });
  });
  test('a delegate pays from another owner’s account', async () => {
    await site.local.run(
      [createApproveInstruction(tokenOf(alice), key(bob), key(alice), 10n)],
      [alice],
    );
    const verdict = await verify([pay(alice, 10n, undefined, bob)], [bob]);
    expect(verdict).toMatchObject({ reason: 'owner-did-not-sign', senders: [alice.address] });
  });
  test('another wallet’s deposit', async () => {
    expect(await verify([pay(bob, 5n)], [bob])).toMatchObject({ reason: 'wrong-sender' });
  });
  test('an account that changes its owner in the transaction counts for the previous owner', async () => {
    const give = createSetAuthorityInstruction(
      tokenOf(bob),
      key(bob),
      AuthorityType.AccountOwner,
      key(alice),
    );
    expect(await verify([pay(bob, 5n), give], [bob])).toMatchObject({
      reason: 'wrong-sender',
      senders: [bob.address],
    });
  });
});

describe('nothing arrived', () => {
  test('a payment to another wallet', async () => {
    expect(await verify([pay(alice, 5n, tokenOf(bob))], [alice])).toMatchObject({
      reason: 'wrong-wallet',
    });
  });
  test('a burn, a memo', async () => {
    const burn = createBurnInstruction(tokenOf(alice), key(site.token.mint), key(alice), 5n);
    expect(await verify([burn], [alice])).toMatchObject({ reason: 'no-transfer' });
    const memo = new TransactionInstruction({
      programId: new PublicKey(MEMO_PROGRAM),
      keys: [],
      data: Buffer.from('deposit of 1000 BSM'),
    });
    expect(await verify([memo], [])).toMatchObject({ reason: 'no-transfer' });
  });
  test('our own payment', async () => {
    expect(await verify([pay(site.treasury, 5n, tokenOf(alice))], [site.treasury])).toMatchObject({
      reason: 'outgoing',
    });
  });
  test('a failed one', async () => {
    const connection = new Connection(site.local.url, 'confirmed');
    const { blockhash } = await connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: key(alice),
      recentBlockhash: blockhash,
      instructions: [pay(alice, 5_000n)],
    });
    const transaction = new VersionedTransaction(message.compileToLegacyMessage());
    transaction.sign([keypair(alice)]);
    const signature = await connection.sendRawTransaction(transaction.serialize(), {
      skipPreflight: true,
    });
    expect(await verifyOn(site.chain, signature, alice)).toMatchObject({ reason: 'failed' });
  });
});

test('a transaction whose accounts come from a lookup table', async () => {
  const connection = new Connection(site.local.url, 'processed');
  const recentSlot = (await connection.getSlot('processed')) - 1;
  const [authority, payer] = [key(alice), key(alice)];
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer,
    recentSlot,
  });
  const addresses = [tokenOf(alice), tokenOf(site.treasury), key(site.token.mint)];
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: table,
    authority,
    payer,
    addresses,
  });
  await site.local.run([create, extend], [alice]);
  site.finalize();
  const { value } = await connection.getAddressLookupTable(table);
  if (!value) throw new Error('the table is there');
  const { blockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: key(alice),
    recentBlockhash: blockhash,
    instructions: [pay(alice, 33n)],
  }).compileToV0Message([value]);
  expect(message.addressTableLookups).toHaveLength(1);
  const transaction = new VersionedTransaction(message);
  transaction.sign([keypair(alice)]);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  expect(await verifyOn(site.chain, signature, alice)).toMatchObject({
    kind: 'credit',
    amountMinor: 33n,
  });
});
