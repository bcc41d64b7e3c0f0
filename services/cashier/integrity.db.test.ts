import { readHolds } from '@reelbook/payments/holds';
import { BSM, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { expect, test } from 'vitest';

test('a database that no migration made pays nothing automatically until it is repaired', async () => {
  const bank = await startPayingSite();
  try {
    const owner = bank.site.database.pool('owner', 1);
    const player = await bank.player(100n * BSM);
    const first = await bank.startCashier();
    await bank.credit(player, 50n * BSM);
    await owner.query('alter table events disable trigger all');
    const id = await bank.withdraw(player, 2);
    await bank.until(async () =>
      expect((await readHolds(bank.site.pool, [id])).get(id)).toEqual({
        code: 'integrity',
        facts: {},
      }),
    );
    expect(await bank.statusOf(id)).toBe('requested');
    await first.close();
    await owner.query('alter table events enable trigger all');
    // On a pool of its own, so that it does not use the last reading of the first.
    await bank.startCashier({ pool: bank.site.database.pool('app') });
    await bank.reaches(id, 'finalized');
    await bank.expectIntact();
  } finally {
    await bank.close();
  }
});
