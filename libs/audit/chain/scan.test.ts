import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScanStore, scanAddress } from './chain-side.ts';

const SPAM = 23;
const PAGE = 5;
const folder = mkdtempSync(join(tmpdir(), 'reelbook-scan-'));

let chain: TestChain;
let address: string;
beforeAll(async () => {
  chain = await startTestChain();
  const { tokenAccount } = await chain.chain.terms();
  address = tokenAccount;
});
afterAll(async () => {
  await chain.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (into: string | null = folder) =>
  openScanStore(into, { genesis: await chain.chain.genesisHash(), address });
async function scan(max: number, kept: Awaited<ReturnType<typeof open>>) {
  const treasury = await chain.chain.terms();
  const o = { chain: chain.chain, treasury, address, kept, max, pageSize: PAGE };
  return scanAddress({ ...o, onProgress: () => {} });
}
/** SOL for the token account: it names the treasury and moves none of its tokens. */
async function spam(times: number): Promise<void> {
  for (let n = 0; n < times; n++) await chain.local.airdrop(address, 1_000_000n + BigInt(n));
}

test('spam does not make scans endless: each continues where the previous one ended, and finds everything', async () => {
  const player = await chain.fund(100n);
  const [first] = [await chain.deposit(player, 1n), await spam(SPAM)];
  const second = await chain.deposit(player, 2n);
  chain.finalize();
  const looks: (string | null)[] = [];
  let signatures = 0;
  do {
    const scanned = await scan(2 * PAGE, await open());
    signatures += scanned.signatures;
    looks.push(scanned.gap);
  } while (looks.at(-1) !== null && looks.length < 10);
  expect(looks).toEqual([
    'more than 10 transactions to scan; run the audit again',
    'more than 10 transactions to scan; run the audit again',
    null,
  ]);
  // The funding and both deposits, and each foreign transaction once.
  expect(signatures).toBe(SPAM + 3);
  const facts = (await open()).facts();
  expect(facts.map(({ signature }) => signature).slice(1)).toEqual([first, second]);
  // More spam between scans: the next scan ends at the cursor.
  await spam(3);
  const third = await chain.deposit(player, 3n);
  chain.finalize();
  expect(await scan(2 * PAGE, await open())).toEqual({ gap: null, signatures: 4 });
  expect((await open()).facts().at(-1)?.signature).toBe(third);
  const fresh = await open(null);
  await scan(Number.POSITIVE_INFINITY, fresh);
  expect(fresh.facts()).toEqual((await open()).facts());
});

test('an RPC that has lost the cursor leaves a gap, which is reported', async () => {
  const kept = await open(null);
  const { progress } = kept;
  kept.add([], { ...progress, cursor: '5'.repeat(87), walks: 1, fromSlot: 0 });
  const { gap } = await scan(1_000, kept);
  expect(gap).toBe("the RPC's history does not reach back to the last audit");
  expect(kept.progress.cursor).toBe('5'.repeat(87));
});

test('a page cut short by a node with less history is no end of the list', async () => {
  const kept = await open(null);
  const walk = { head: '5'.repeat(87), before: '5'.repeat(87) };
  kept.add([], { ...kept.progress, walk });
  await expect(scan(1_000, kept)).rejects.toThrow('the RPC lists transaction');
});

test("an address that was empty at the first scan is complete from the RPC's history at a later one", async () => {
  const kept = await open(null);
  kept.add([], { ...kept.progress, walks: 1, fromSlot: 0 });
  const slot = await chain.chain.read('getSlot', (node) => node.getSlot('finalized'));
  for (const node of ['first', 'second'] as const) chain.local.faults.forget(slot, node);
  expect(await scan(1_000, kept)).toMatchObject({ gap: null });
  chain.local.faults.clear();
  expect(kept.progress.fromSlot).toBe(slot);
});
