import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWithdrawal, withdrawals } from './projection.ts';
import { readOpenWithdrawals } from './queue.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test('reads prepared on open connections work after a column is added', async () => {
  await startProjecting(database, withdrawals);
  const owner = database.pool('owner');
  await owner.query(
    `insert into projections.withdrawals_v1 (withdrawal, wallet, to_address, net, fee, status, approved_by, attempts,
        requested_at, updated_at, position)
      values ('w-1', $1, $1, 90, 10, 'requested', '{}', 0, now(), now(), 7)`,
    [walletOf(1)],
  );
  const client = await database.pool('app').connect();
  try {
    const read = async () => [
      await readWithdrawal(client, 'w-1'),
      ...(await readOpenWithdrawals(client, { limit: 1 })),
    ];
    const before = await read();
    expect(before).toMatchObject([{ netMinor: 90n }, { withdrawal: 'w-1', turn: 1 }]);
    await owner.query('alter table projections.withdrawals_v1 add column later text');
    expect(await read()).toEqual(before);
  } finally {
    client.release();
  }
});
