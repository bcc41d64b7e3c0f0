import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiled } from '@reelbook/runtime/run.js';
import { startTestChain } from '@reelbook/testing/chain';
import { WAIT } from '@reelbook/testing/wait';
import {
  createAssociatedTokenAccountInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createTransferInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  getMinimumBalanceForRentExemptMint,
  MINT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { createSigner } from '../keys.ts';
import { signTransfer } from '../send-transfer.ts';
import { startLocalChain } from './start.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-chain-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
/** Blockhashes are valid for a minute, as on a real chain; 150 of these slots would last three seconds. */
const QUICK = { slotMs: 20, confirmAfterMs: 20, finalizeAfterMs: 60, blockhashBlocks: 3_000 };

test('the first blockhash of a new chain is valid', async () => {
  const local = await startLocalChain({ folder: null, clock: 'manual' });
  closers.push(local.close);
  const connection = new Connection(local.url, 'finalized');
  const { blockhash } = await connection.getLatestBlockhash();
  const payer = Keypair.generate();
  await local.airdrop(payer.publicKey.toBase58(), 2_000_000_000n);
  const move = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: Keypair.generate().publicKey,
    lamports: 1_000_000,
  });
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash });
  transaction.add(move).sign(payer);
  await connection.sendRawTransaction(transaction.serialize(), {
    preflightCommitment: 'processed',
  });
});

test('the Solana libraries work with it', async () => {
  const local = await startLocalChain({ folder: null, ...QUICK });
  closers.push(local.close);
  const connection = new Connection(local.url, 'confirmed');
  const [payer, other, minted] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
  const mint = minted.publicKey;
  const confirmed = async (signature: string) => {
    const read = async () => (await connection.getSignatureStatuses([signature])).value[0];
    await vi.waitFor(
      async () =>
        expect((await read())?.confirmationStatus).not.toBeOneOf([undefined, 'processed']),
      WAIT,
    );
    return signature;
  };
  const send = async (instructions: readonly TransactionInstruction[], ...signers: Keypair[]) => {
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash });
    transaction.add(...instructions).sign(payer, ...signers);
    return confirmed(await connection.sendRawTransaction(transaction.serialize()));
  };
  const [fromPubkey, lamports] = [payer.publicKey, 1_000_000];
  await confirmed(await connection.requestAirdrop(fromPubkey, 2_000_000_000));
  await send([SystemProgram.transfer({ fromPubkey, toPubkey: other.publicKey, lamports })]);
  expect(await connection.getBalance(other.publicKey)).toBe(lamports);
  const rent = await getMinimumBalanceForRentExemptMint(connection);
  const account = { fromPubkey, newAccountPubkey: mint, lamports: rent, space: MINT_SIZE };
  await send(
    [
      SystemProgram.createAccount({ ...account, programId: TOKEN_PROGRAM_ID }),
      createInitializeMint2Instruction(mint, 9, fromPubkey, null),
    ],
    minted,
  );
  const [from, to] = [payer, other].map(({ publicKey }) =>
    getAssociatedTokenAddressSync(mint, publicKey),
  ) as [PublicKey, PublicKey];
  await send([
    createAssociatedTokenAccountInstruction(fromPubkey, from, fromPubkey, mint),
    createAssociatedTokenAccountInstruction(fromPubkey, to, other.publicKey, mint),
    createMintToInstruction(mint, from, fromPubkey, 1_000n),
  ]);
  const signature = await send([createTransferInstruction(from, to, fromPubkey, 400n)]);
  expect((await getAccount(connection, to)).amount).toBe(400n);
  await expect(send([createTransferInstruction(from, to, fromPubkey, 4_000n)])).rejects.toThrow(
    '0x1',
  );
  const parsed = await connection.getParsedTransaction(signature, {
    maxSupportedTransactionVersion: 0,
  });
  expect(parsed?.meta?.postTokenBalances?.map((one) => one.uiTokenAmount.amount).sort()).toEqual([
    '400',
    '600',
  ]);
  const pages = await connection.getSignaturesForAddress(from, { limit: 1 });
  expect(pages).toMatchObject([{ signature }]);
  const older = await connection.getSignaturesForAddress(from, { before: signature });
  const until = older.at(-1)?.signature ?? '';
  expect(await connection.getSignaturesForAddress(from, { until })).toHaveLength(older.length);
});

test('acknowledged transactions survive a restart, also with an incomplete last line', async () => {
  const folder = newFolder();
  const first = await startLocalChain({ folder, ...QUICK });
  const wallet = createSigner().address;
  await first.airdrop(wallet, 1_000_000n);
  const signature = await first.airdrop(wallet, 5n);
  const balance = async (url: string) =>
    new Connection(url, 'processed').getBalance(new PublicKey(wallet));
  expect(await balance(first.url)).toBe(1_000_005);
  await first.close();
  appendFileSync(join(folder, 'chain.jsonl'), '{"landed":{"signature":"half');
  const second = await startLocalChain({ folder, ...QUICK });
  expect(await balance(second.url)).toBe(1_000_005);
  const known = await new Connection(second.url).getSignatureStatus(signature, {
    searchTransactionHistory: true,
  });
  expect(known.value).toMatchObject({ err: null });
  await second.airdrop(wallet, 1n);
  await second.close();
  const third = await startLocalChain({ folder, ...QUICK });
  closers.push(third.close);
  expect(await balance(third.url)).toBe(1_000_006);
});

test('kill -9 during many transactions loses no acknowledged one', async () => {
  const folder = newFolder();
  const child = launch(folder);
  const [url] = (await once(child, 'line')) as [string];
  const connection = new Connection(url.trim(), 'processed');
  const wallets = Array.from({ length: 80 }, () => Keypair.generate().publicKey);
  const acknowledged: PublicKey[] = [];
  let killed = false;
  await Promise.all(
    wallets.map(async (wallet) => {
      try {
        await connection.requestAirdrop(wallet, 1_000_000);
        acknowledged.push(wallet);
        if (acknowledged.length >= 20 && !killed) killed = child.kill('SIGKILL');
      } catch {
        // Not acknowledged: it may have landed or not.
      }
    }),
  );
  expect(acknowledged.length).toBeGreaterThanOrEqual(20);
  const again = await startLocalChain({ folder, ...QUICK });
  closers.push(again.close);
  const after = new Connection(again.url, 'processed');
  for (const wallet of acknowledged) expect(await after.getBalance(wallet)).toBe(1_000_000);
  for (const wallet of wallets) expect([0, 1_000_000]).toContain(await after.getBalance(wallet));
});

const START = await compiled('libs/solana/local-chain/start.ts');

function launch(folder: string): ChildProcess {
  const code = `import { startLocalChain } from ${JSON.stringify(START)};
    const local = await startLocalChain({ folder: ${JSON.stringify(folder)} });
    process.stdout.write(local.url + '\\n');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closers.push(() => void child.kill('SIGKILL'));
  child.stdout?.once('data', (text) => child.emit('line', String(text)));
  return child;
}

test('close compacts the file, which contains each account once', async () => {
  const folder = newFolder();
  const local = await startLocalChain({ folder, ...QUICK });
  const wallet = createSigner().address;
  for (let time = 0; time < 5; time++) await local.airdrop(wallet, 1_000_000n);
  await local.close();
  const lines = readFileSync(join(folder, 'chain.jsonl'), 'utf8').trim().split('\n');
  expect(lines.filter((line) => line.startsWith(`{"account":"${wallet}"`))).toHaveLength(1);
});

test('invalid bytes neither end the process nor change the chain', async () => {
  const site = await startTestChain();
  closers.push(site.close);
  const signed = await signTransfer(site.chain, {
    signer: site.treasury,
    to: createSigner().address,
    amountMinor: 1n,
    memo: 'fuzz',
  });
  const valid = Buffer.from(signed.bytes, 'base64');
  const connection = new Connection(site.local.url, 'confirmed');
  const before = await site.chain.treasury();
  const mutation = fc.record({
    cut: fc.nat(valid.length - 1),
    edits: fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 6,
    }),
    doCut: fc.boolean(),
    skipPreflight: fc.boolean(),
  });
  const send = async (bytes: Buffer, skipPreflight: boolean) => {
    const params = [bytes.toString('base64'), { encoding: 'base64', skipPreflight }];
    const answer = await fetch(site.local.url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
    });
    expect(answer.status).toBe(200);
  };
  await fc.assert(
    fc.asyncProperty(mutation, async (o) => {
      const bytes = Buffer.from(o.doCut ? valid.subarray(0, o.cut) : valid);
      for (const [at, value] of o.edits) if (at < bytes.length) bytes[at] = value;
      if (bytes.equals(valid)) return;
      await send(bytes, o.skipPreflight);
    }),
    { numRuns: 400 },
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, skip) =>
      send(Buffer.from(bytes), skip),
    ),
    { numRuns: 200 },
  );
  site.finalize();
  expect(await connection.getVersion()).toBeTruthy();
  expect(await site.chain.treasury()).toMatchObject({
    tokenMinor: before.tokenMinor,
    lamports: before.lamports,
  });
});

test.each([
  ['nonsense', -32700],
  ['[]', -32600],
  ['{}', -32600],
  ['{"method":"constructor"}', -32601],
  ['{"method":"getBalance","params":{}}', -32602],
  ['{"method":"getBalance","params":["x"]}', -32602],
  ['{"method":"getBalance","params":[null]}', -32602],
  ['{"method":"getSlot","params":[{"commitment":"soon"}]}', -32602],
  ['{"method":"getSlot","params":[{"commitment":"toString"}]}', -32602],
  ['{"method":"getSignatureStatuses","params":[["x"]]}', -32602],
  [
    '{"method":"getSignaturesForAddress","params":["11111111111111111111111111111111",{"limit":0}]}',
    -32602,
  ],
  ['{"method":"sendTransaction","params":[7]}', -32602],
  ['{"method":"requestAirdrop","params":["11111111111111111111111111111111",-1]}', -32602],
] as const)('an invalid call %s is refused', async (body, code) => {
  const local = await startLocalChain({ folder: null, clock: 'manual' });
  closers.push(local.close);
  const answer = await fetch(local.url, { method: 'POST', body });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(await answer.json()).toMatchObject({ error: { code } });
});
