import { startExecutor } from '@reelbook/event-store/execute';
import { createDatabase } from '@reelbook/testing/database';
import { observeTreasury } from '@reelbook/testing/treasury';
import { expect, test } from 'vitest';
import { openTreasury } from './chain.ts';

test('the treasury opens once under repeated and concurrent calls', async () => {
  const database = await createDatabase();
  const pool = database.pool('app');
  const look = async () => {
    const { rows } = await pool.query(
      `select position, token_margin::text as margin from ledger_head`,
    );
    return rows[0];
  };
  const executors = Array.from({ length: 4 }, () => startExecutor({ pool }));
  const open = () => Promise.all(executors.map((executor) => openTreasury(executor)));
  await open();
  expect(await look()).toEqual({ position: 1, margin: '1000000000000000' });
  await observeTreasury(pool, 7n);
  await open();
  expect(await look()).toEqual({ position: 2, margin: '7' });
  for (const executor of executors) await executor.close();
  await database.drop();
});
