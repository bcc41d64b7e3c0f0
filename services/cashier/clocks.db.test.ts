import { startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { expect, test, vi } from 'vitest';

test('a cashier with a wrong clock releases its lease until its clock is right', async () => {
  const bank = await startPayingSite();
  const { now } = Date;
  try {
    const cashier = await bank.startCashier();
    await cashier.round();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 31_000);
    const lease = `select holder from checkpoints where name = 'cashier'`;
    await bank.until(async () => {
      expect(cashier.status()).toEqual({
        acting: false,
        failing: expect.stringMatching(/ s ahead of the clock of Postgres$/),
      });
      expect((await bank.site.pool.query(lease)).rows).toEqual([{ holder: null }]);
    });
    clock.mockRestore();
    await cashier.round();
  } finally {
    vi.restoreAllMocks();
    await bank.close();
  }
});
