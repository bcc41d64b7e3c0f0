import { readLog } from '@reelbook/event-store/read-log';
import { readHolds } from '@reelbook/payments/holds';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { afterAll, beforeAll, expect, test } from 'vitest';

const HELD_PLAYERS = 16;
/** A round reads 50: most likely the honest request arrives while another part of the queue is read. */
const REQUESTS = 3;
const EACH = 10;

let bank: PaymentReview;
beforeAll(async () => {
  bank = await startPaymentReview({ isPaying: false });
});
afterAll(() => bank.close());

test('waiting withdrawals do not delay a new one', async () => {
  const players = await Promise.all(
    Array.from({ length: HELD_PLAYERS + 1 }, async () => {
      const player = await bank.player(BigInt(EACH) * BSM);
      await bank.deposit(player, BigInt(EACH) * BSM);
      return player;
    }),
  );
  const first = await bank.startCashier();
  await bank.until(async () => {
    for (const player of players) {
      expect(await bank.balanceMinor(player)).toBe(BigInt(EACH) * BSM);
    }
  });
  await first.close();
  const [honest, ...held] = players;
  if (!honest) throw new Error('there is an honest player');
  for (const { wallet } of held) {
    const path = `/admin/players/${wallet.address}/suspend`;
    const { status } = await bank.admin.by.operator.call(path, { body: { reason: 'fraud' } });
    expect(status).toBe(200);
  }
  const waiting: string[] = [];
  for (let n = 0; n < EACH; n++)
    waiting.push(...(await Promise.all(held.map((one) => bank.withdraw(one, 1)))));
  const cashier = await bank.startCashier({ roundEveryMs: 1_000 });
  await bank.until(async () =>
    expect((await readHolds(bank.site.pool, waiting)).size).toBe(HELD_PLAYERS * EACH),
  );
  const requested: string[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    requested.push(await bank.withdraw(honest, 1));
    await untilCaughtUp(bank.site.pool);
    // The first round may have started earlier.
    for (let round = 0; round < 2; round++) await cashier.round();
    const events = await readLog(bank.site.pool, { from: 1, limit: 10_000 });
    const approved = events.flatMap(({ event }) =>
      event.type === 'WithdrawalApproved' ? [event.data.withdrawal] : [],
    );
    expect(approved).toEqual(requested);
  }
});
