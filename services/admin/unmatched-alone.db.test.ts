import { readLog } from '@reelbook/event-store/read-log';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import { atNoon } from '@reelbook/testing/fake-clock';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';

let bank: PaymentReview;
beforeAll(async () => {
  bank = await startPaymentReview({ prepare: atNoon });
});
afterAll(() => bank.close());

const reason = 'papers are in order';

test('one operator assigned more unmatched deposits to a player per day than the adjustment limit', async () => {
  const by = bank.admin.by.operator;
  const friend = await bank.player(BSM);
  const signatures: string[] = [];
  for (let n = 0; n < 12; n++) {
    const stranger = createWallet();
    await bank.chain.fund(10n * BSM, stranger);
    signatures.push(await bank.chain.deposit(stranger, 10n * BSM));
  }
  for (const signature of signatures) {
    await bank.until(async () => {
      const answer = await by.call<{ error?: string }>(
        `/admin/unmatched-deposits/${signature}/resolve`,
        { body: { to: `player:${friend.wallet.address}`, reason } },
      );
      expect(answer.data.error).not.toBe('no-such-unmatched-deposit');
    });
  }
  const events = await readLog(bank.site.pool, { from: 1, limit: 1_000 });
  const alone = events.flatMap(({ event, meta }) =>
    event.type === 'UnmatchedDepositResolved' &&
    event.data.proposal === undefined &&
    meta.actor === `operator:${by.wallet.address}`
      ? [event.data.amountMinor]
      : [],
  );
  // The daily limit of one operator for one player.
  expect(alone.reduce((sum, minor) => sum + minor, 0n)).toBeLessThanOrEqual(10n * BSM);
});
