import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import {
  AuthorityType,
  createEnableRequiredMemoTransfersInstruction,
  createReallocateInstruction,
  createSetAuthorityInstruction,
  ExtensionType,
} from '@solana/spl-token';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkDestination, findReceiver } from './destination.ts';
import { createSigner } from './keys.ts';
import { ChainAway } from './nodes.ts';
import { signMemo, signTransfer } from './send-transfer.ts';
import type { SignedTransfer } from './transaction.ts';

let site: TestChain;
beforeEach(async () => {
  site = await startTestChain();
});
afterEach(() => site.close());

const BSM = 10n ** 9n;

async function sign(to: string, amountMinor = 5n * BSM, memo = 'withdrawal 1') {
  return signTransfer(site.chain, { signer: site.treasury, to, amountMinor, memo });
}
const statusOf = (signed: SignedTransfer) => site.chain.status(signed);
const absenceOf = (signed: SignedTransfer) => site.chain.absence(signed);
const treasuryMinor = async () => (await site.chain.treasury()).tokenMinor;

test('signing moves nothing and gives the signature; repeated sends land once', async () => {
  const { address } = createSigner();
  const before = await treasuryMinor();
  const signed = await sign(address);
  expect(await statusOf(signed)).toEqual({ kind: 'unknown', canLand: true });
  expect(await site.chain.send(signed.bytes)).toEqual({ kind: 'taken' });
  expect(await statusOf(signed)).toMatchObject({ kind: 'landed', error: null });
  expect(await site.chain.send(signed.bytes)).toEqual({ kind: 'taken' });
  // Not finalized yet: the treasury's balance is the finalized one.
  expect(await treasuryMinor()).toBe(before);
  site.finalize();
  expect(await statusOf(signed)).toMatchObject({ kind: 'finalized' });
  expect(await site.chain.send(signed.bytes)).toEqual({ kind: 'taken' });
  expect(await site.chain.walletBalance(address)).toBe(5n * BSM);
  expect(await treasuryMinor()).toBe(before - 5n * BSM);
  const seen = await site.chain.transaction(signed.signature, 'finalized');
  expect(seen).toMatchObject({ error: null, memos: ['withdrawal 1'] });
});

test('a transaction with only a memo', async () => {
  const signed = await signMemo(site.chain, { signer: site.treasury, memo: 'root 00ff' });
  await site.chain.send(signed.bytes);
  site.finalize();
  const seen = await site.chain.transaction(signed.signature, 'finalized');
  expect(seen).toMatchObject({ memos: ['root 00ff'], signers: [site.treasury.address] });
  await expect(
    signMemo(site.chain, { signer: site.treasury, memo: 'x'.repeat(501) }),
  ).rejects.toThrow('at most 500 bytes');
});

test('the fees of a payment are bounded', async () => {
  const { lamports } = await site.chain.treasury();
  const open = await findReceiver(site.chain, createSigner().address);
  const signed = await sign(createSigner().address);
  await site.chain.send(signed.bytes);
  site.finalize();
  const paid = lamports - (await site.chain.treasury()).lamports;
  expect(paid).toBe(5_000n + open.rentLamports);
  const again = await findReceiver(site.chain, site.treasury.address);
  expect(again.rentLamports).toBe(0n);
});

test('the token account of a wallet is found with its rent and its owner', async () => {
  const owner = createSigner();
  const closed = await findReceiver(site.chain, owner.address);
  expect(closed).toMatchObject({ isForeign: false });
  expect(closed.rentLamports).toBeGreaterThan(0n);
  // SOL that arrives first opens no token account.
  await site.local.airdrop(closed.tokenAccount, 1_000_000n);
  expect(await findReceiver(site.chain, owner.address)).toEqual(closed);
  await site.fund(BSM, owner);
  const { tokenAccount } = closed;
  const open = { tokenAccount, rentLamports: 0n, isForeign: false };
  expect(await findReceiver(site.chain, owner.address)).toEqual(open);
  const [account, from, to] = [tokenAccount, owner.address, createSigner().address].map(
    (text) => new PublicKey(text),
  ) as [PublicKey, PublicKey, PublicKey];
  const given = createSetAuthorityInstruction(account, from, AuthorityType.AccountOwner, to);
  await site.local.run([given], [owner]);
  site.finalize();
  expect(await findReceiver(site.chain, owner.address)).toEqual({ ...open, isForeign: true });
});

test('a Token-2022 account that requires memos is paid', async () => {
  const strict = await startTestChain({ feeBasisPoints: 0 });
  try {
    const owner = await strict.fund(BSM);
    const { tokenAccount } = await findReceiver(strict.chain, owner.address);
    const [account, wallet, payer] = [tokenAccount, owner.address, strict.local.purse].map(
      (text) => new PublicKey(text),
    ) as [PublicKey, PublicKey, PublicKey];
    const memos = [ExtensionType.MemoTransfer];
    await strict.local.run(
      [
        createReallocateInstruction(account, payer, memos, wallet),
        createEnableRequiredMemoTransfersInstruction(account, wallet),
      ],
      [owner],
    );
    const signed = await signTransfer(strict.chain, {
      signer: strict.treasury,
      to: owner.address,
      amountMinor: 5n * BSM,
      memo: 'withdrawal 1',
    });
    expect(await strict.chain.send(signed.bytes)).toEqual({ kind: 'taken' });
    strict.finalize();
    expect(await strict.chain.status(signed)).toMatchObject({ kind: 'finalized' });
    expect(await strict.chain.walletBalance(owner.address)).toBe(6n * BSM);
  } finally {
    await strict.close();
  }
});

describe('faults', () => {
  test('a dropped transaction can land until its height has passed, then never', async () => {
    site.local.faults.dropSends(1);
    const signed = await sign(createSigner().address);
    expect(await site.chain.send(signed.bytes)).toEqual({ kind: 'taken' });
    site.finalize();
    expect(await statusOf(signed)).toEqual({ kind: 'unknown', canLand: true });
    expect((await absenceOf(signed)).witnesses).toBe(0);
    site.local.advance(200);
    expect(await statusOf(signed)).toEqual({ kind: 'unknown', canLand: false });
    expect((await absenceOf(signed)).witnesses).toBe(2);
    expect(await site.chain.send(signed.bytes)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('Blockhash not found'),
    });
  });

  test('an RPC that accepts it without a response: unknown, and it landed', async () => {
    const signed = await sign(createSigner().address);
    site.local.faults.hangUp('sendTransaction', 1);
    expect(await site.chain.send(signed.bytes)).toMatchObject({ kind: 'unknown' });
    site.finalize();
    expect(await statusOf(signed)).toMatchObject({ kind: 'finalized' });
  });

  test('an RPC that responds after the timeout: unknown, and it landed', async () => {
    const signed = await sign(createSigner().address);
    site.local.faults.answerLate('sendTransaction', 10_000, 1);
    const hasty = site.open(site.local.urls, 5_000);
    expect(await hasty.send(signed.bytes)).toMatchObject({ kind: 'unknown' });
    site.finalize();
    expect(await statusOf(signed)).toMatchObject({ kind: 'finalized' });
  });

  test('a transaction that lands much later', async () => {
    const signed = await sign(createSigner().address);
    site.local.faults.landLate(100, 1);
    await site.chain.send(signed.bytes);
    site.local.advance(99);
    expect(await statusOf(signed)).toEqual({ kind: 'unknown', canLand: true });
    site.local.advance(1);
    expect(await statusOf(signed)).toMatchObject({ kind: 'landed' });
  });

  test('a transaction that lands with an error moved nothing, and that is final', async () => {
    const { address } = createSigner();
    const signed = await sign(address, 2_000_000n * BSM);
    expect(await site.chain.send(signed.bytes)).toMatchObject({ kind: 'refused' });
    await site.chain.read('send unlooked', (node) =>
      node.sendEncodedTransaction(signed.bytes, { skipPreflight: true }),
    );
    expect(await statusOf(signed)).toMatchObject({
      kind: 'landed',
      error: expect.stringContaining('Custom'),
    });
    site.finalize();
    expect(await statusOf(signed)).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('Custom'),
    });
    expect(await site.chain.walletBalance(address)).toBeNull();
  });

  test('after a fork drops a confirmed transaction, the same bytes land again', async () => {
    const { address } = createSigner();
    const signed = await sign(address);
    const later = await sign(createSigner().address, 7n * BSM);
    await site.chain.send(signed.bytes);
    await site.chain.send(later.bytes);
    site.local.advance(2);
    expect(await statusOf(signed)).toMatchObject({ kind: 'landed' });
    site.local.faults.lose(signed.signature);
    expect(await statusOf(signed)).toEqual({ kind: 'unknown', canLand: true });
    expect(await statusOf(later)).toMatchObject({ kind: 'landed', error: null });
    expect(await site.chain.walletBalance(address)).toBeNull();
    await site.chain.send(signed.bytes);
    site.finalize();
    expect(await statusOf(signed)).toMatchObject({ kind: 'finalized' });
    expect(() => site.local.faults.lose(signed.signature)).toThrow('final');
    expect(await treasuryMinor()).toBe((1_000_000n - 12n) * BSM);
  });

  test('expired blockhashes end every unsent payment', async () => {
    const signed = await sign(createSigner().address);
    site.local.faults.expireBlockhashes();
    expect(await site.chain.send(signed.bytes)).toMatchObject({ kind: 'refused' });
    const again = await sign(createSigner().address);
    expect(await site.chain.send(again.bytes)).toEqual({ kind: 'taken' });
  });

  test('reads skip a failing or unavailable node; an absence needs all nodes', async () => {
    const signed = await sign(createSigner().address);
    site.local.faults.away('first');
    expect(await site.chain.terms()).toBeDefined();
    await expect(sign(createSigner().address)).rejects.toThrow('only while two providers respond');
    expect(await site.chain.send(signed.bytes)).toEqual({ kind: 'taken' });
    site.local.faults.clear();
    site.local.advance(300);
    site.local.faults.hide(signed.signature, 'first');
    const { witnesses, nodes } = await absenceOf(signed);
    expect(witnesses).toBe(0);
    expect(nodes.map(({ report }) => report)).toMatchObject([
      { kind: 'unknown', canLand: false },
      { kind: 'finalized' },
    ]);
    site.local.faults.away('second');
    const alone = await absenceOf(signed);
    expect(alone).toMatchObject({ witnesses: 0, nodes: [{}, { report: 'away' }] });
  });

  test('without any node reads fail with an error that contains no URL', async () => {
    const urls = ['http://127.0.0.1:9/v1/hunter2', 'http://127.0.0.1:9/?api-key=hunter2'];
    const error = await site
      .open(urls)
      .treasury()
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ChainAway);
    expect(String(error)).not.toContain('hunter2');
    expect(await site.open(urls).send('AAAA')).toMatchObject({ kind: 'unknown' });
  });
});

describe('destinations', () => {
  test('wallets are accepted, new ones too', async () => {
    const funded = await site.fund(1n);
    expect(await checkDestination(site.chain, funded.address)).toBeNull();
    expect(await checkDestination(site.chain, createSigner().address)).toBeNull();
  });
  test('any other address has a named fault', async () => {
    const { tokenAccount, program } = await site.chain.terms();
    const player = await site.fund(1n);
    const theirs = (await findReceiver(site.chain, player.address)).tokenAccount;
    const nowhere = (await findReceiver(site.chain, createSigner().address)).tokenAccount;
    const cases = [
      ['', 'not-an-address'],
      ['0OIl', 'not-an-address'],
      [` ${player.address}`, 'not-an-address'],
      // Too large for 32 bytes. One more character is not always: a short address and a '1' can
      // be another address.
      [`${player.address}11111`, 'not-an-address'],
      ['1'.repeat(33), 'not-an-address'],
      [site.treasury.address, 'ours'],
      [tokenAccount, 'ours'],
      [site.token.mint.address, 'a-mint'],
      [theirs, 'a-token-account'],
      [nowhere, 'not-a-wallet'],
      [program, 'a-program'],
      ['11111111111111111111111111111111', 'a-program'],
      ['SysvarC1ock11111111111111111111111111111111', 'not-a-wallet'],
    ] as const;
    for (const [address, fault] of cases) {
      expect([address, await checkDestination(site.chain, address)]).toEqual([address, fault]);
    }
  });
  test('a transfer of 0, or by another key, is refused before signing', async () => {
    await expect(sign(createSigner().address, 0n)).rejects.toThrow('must be above 0');
    const signer = createSigner();
    const other = { signer, to: createSigner().address, amountMinor: 1n, memo: '' };
    await expect(signTransfer(site.chain, other)).rejects.toThrow("not the treasury's");
  });
});

test('a changed byte invalidates the signature', async () => {
  const signed = await sign(createSigner().address);
  const transaction = VersionedTransaction.deserialize(Buffer.from(signed.bytes, 'base64'));
  const [signature] = transaction.signatures;
  if (signature) signature[7] = (signature[7] ?? 0) ^ 1;
  const bytes = Buffer.from(transaction.serialize()).toString('base64');
  expect(await site.chain.send(bytes)).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('signature verification'),
  });
});
