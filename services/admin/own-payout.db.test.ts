import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import { afterAll, beforeAll, expect, test } from 'vitest';

let bank: PaymentReview;
beforeAll(async () => {
  bank = await startPaymentReview();
});
afterAll(() => bank.close());

const reason = 'papers are in order';

test("an operator approved another player's withdrawal to the operator's own wallet", async () => {
  const by = bank.admin.by.operator;
  const player = await bank.player(3_000n * BSM);
  await bank.credit(player, 2_500n * BSM);
  const id = await bank.withdraw(player, 2_000, by.wallet.address);
  await bank.reaches(id, 'requested');
  const answer = await by.call<{ error?: string }>(`/admin/withdrawals/${id}/approve`, {
    body: { reason },
  });
  expect([answer.status, answer.data.error]).toEqual([403, 'operator-own-wallet']);
});
