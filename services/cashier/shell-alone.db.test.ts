import { readWithdrawal } from '@reelbook/projections/withdrawals/projection';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { runInProcess } from '@reelbook/testing/run-program';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reelbook } from '../cli/program.ts';

let bank: PaymentReview;
beforeAll(async () => {
  bank = await startPaymentReview();
});
afterAll(() => bank.close());

/** Runs `npm run reelbook -- cashier ...`. */
const cashierCommand = (...words: string[]) =>
  runInProcess(reelbook, ['cashier', ...words, '--reason', 'as agreed'], {
    DATABASE_URL: bank.site.database.url,
    DATA_DIR: '/nonexistent',
  });

test("with two admins a shell cannot approve a suspended player's large withdrawal", async () => {
  const player = await bank.player(3_000n * BSM);
  await bank.credit(player, 2_500n * BSM);
  const suspended = await bank.admin.by.operator.call(
    `/admin/players/${player.wallet.address}/suspend`,
    { body: { reason: 'fraud' } },
  );
  expect(suspended.status).toBe(200);
  const id = await bank.withdraw(player, 2_000);
  await bank.reaches(id, 'requested');
  for (const { wallet } of [bank.admin.by.admin, bank.admin.second]) {
    expect((await cashierCommand('approve', id, '--by', wallet.address)).code).toBe(1);
  }
  await untilCaughtUp(bank.site.pool);
  expect((await readWithdrawal(bank.site.pool, id))?.approvedBy).toEqual([]);
});

test('with two admins a shell cannot assign a large unmatched deposit to a player', async () => {
  const stranger = createWallet();
  const friend = await bank.player(BSM);
  await bank.chain.fund(3_000n * BSM, stranger);
  const signature = await bank.chain.deposit(stranger, 3_000n * BSM);
  await bank.until(async () => expect((await bank.solvency()).queues.unmatched).toBe(1));
  for (const { wallet } of [bank.admin.by.admin, bank.admin.second]) {
    const to = ['--to', `player:${friend.wallet.address}`, '--by', wallet.address];
    expect((await cashierCommand('resolve', signature, ...to)).code).toBe(1);
  }
  expect((await bank.solvency()).queues.unmatched).toBe(1);
});
