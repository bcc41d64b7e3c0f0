import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { createWallet } from '@reelbook/testing/wallets';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFaucet } from './chain.ts';

let site: TestChain;
beforeEach(async () => {
  site = await startTestChain();
});
afterEach(() => site.close());

test('pays new tokens once per interval under concurrent requests; the treasury is unchanged', async () => {
  const before = await site.chain.treasury();
  let nowMs = 1_000_000;
  const faucet = openFaucet(site.local, site.token, () => nowMs);
  const { address } = createWallet();
  const answers = await Promise.all(Array.from({ length: 20 }, () => faucet(address)));
  expect(answers.filter((one) => 'tx_hash' in one)).toHaveLength(1);
  site.finalize();
  expect(await site.chain.walletBalance(address)).toBe(100n * 10n ** 9n);
  expect(await site.chain.treasury()).toMatchObject({ tokenMinor: before.tokenMinor });
  nowMs += 599_000;
  expect(await faucet(address)).toEqual({ waitS: 1, minutes: 10 });
  nowMs += 1_000;
  expect(await faucet(address)).toMatchObject({ amount: 100, sol: 0.05 });
});

test('a failed payment is not counted', async () => {
  const faucet = openFaucet(site.local, site.token);
  await expect(faucet('no address')).rejects.toThrow();
  await expect(faucet('no address')).rejects.toThrow();
});
