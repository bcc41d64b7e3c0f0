import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balances } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);

test('balances are those after the last event, with any batches', async () => {
  const projecting = await startProjecting(database, balances);
  const db = database.pool('app');
  const history = createHistory();
  history.register(anna);
  history.register(bert, 0n);
  await projecting.applyInBatches(history.recorded(), 4);
  history.bet(anna, 500n, 0n);
  history.bet(anna, 100n, 250n);
  await projecting.applyInBatches(history.recorded(), 100);
  history.rename(anna, 'Anna');
  await projecting.applyInBatches(history.recorded(), 100);
  const { rows } = await db.query('select * from projections.balances_v1 order by position desc');
  expect(rows).toMatchObject([
    { wallet: anna, points: '99650', token: '0', position: 14 },
    { wallet: bert, points: '0', token: '0', position: 9 },
  ]);
});
