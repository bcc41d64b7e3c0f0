import { createDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { expect, test } from 'vitest';
import { entries } from './projection.ts';

const BSM = 10n ** 9n;

/** Everything that the tables number or carry over: players, names, movements, rounds, open rounds, accounts over blocks. */
function playAll() {
  const history = createHistory();
  for (let i = 0; i < 320; i++) {
    if (i % 40 === 0) history.register(walletOf(i / 40), 1_000_000n);
    const wallet = walletOf((i * 7) % (1 + Math.floor(i / 40)));
    history.bet(wallet, 100n, BigInt((i % 3) * 75), ['slot-machine', 'snake'][i % 2]);
    if (i % 20 === 5) history.start(walletOf(0), 'tetris', 1);
    history.bet(wallet, 100n, 0n);
    if (i % 20 === 15) history.settle(walletOf(0), 'tetris', i % 40 === 15 ? 500n : 'void');
    if (i % 31 === 0) history.exchange(wallet, 'points', 100_000n);
    if (i % 62 === 0) history.withdraw(wallet, BSM);
    if (i % 50 === 0) history.setBigWinMultiple(2 + i);
    if (i % 60 === 0) history.rename(wallet, `Player ${i}`);
  }
  return history.recorded();
}

test('batches of any size leave the same tables', async () => {
  const events = playAll();
  expect(events.length).toBeGreaterThan(1_000);
  const tables: unknown[] = [];
  for (const size of [events.length, 13, 1]) {
    const database = await createDatabase();
    const projecting = await startProjecting(database, entries);
    // The first block of accounts together, to save time.
    await projecting.applyInBatches(events.slice(0, 950), 950);
    await projecting.applyInBatches(events, size);
    const db = database.pool('app');
    const rows = [];
    for (const { name, key } of entries.tables) {
      const found = await db.query<{ row: string }>(
        `select t::text as row from projections.${name} as t order by ${key.join(', ')}`,
      );
      rows.push(found.rows.map(({ row }) => row));
    }
    tables.push(rows);
    await database.drop();
  }
  const [together, ...others] = tables;
  for (const one of others) expect(one).toEqual(together);
});
