import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTransactions } from './history.ts';
import { entries } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);

test('movements come newest first, page by page, across batches', async () => {
  const projecting = await startProjecting(database, entries);
  const db = database.pool('app');
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  for (let i = 0; i < 10; i++) {
    history.bet(anna, 100n, i % 2 === 0 ? 150n : 0n);
    history.bet(bert, 200n, 0n);
    await projecting.applyInBatches(history.recorded(), 3);
  }
  const first = await readTransactions(db, { wallet: anna, skip: 0, limit: 5 });
  expect(first.total).toBe(16);
  expect(first.items.map(({ type, amountMinor }) => [type, amountMinor])).toEqual([
    ['bet', -100n],
    ['win', 150n],
    ['bet', -100n],
    ['bet', -100n],
    ['win', 150n],
  ]);
  expect(first.items[0]).toMatchObject({ balanceAfterMinor: 99_750n, round: 'id1-10' });
  expect(first.items[0]?.createdAt).toMatch(/^2026-11-21T13:.*Z$/);
  const last = await readTransactions(db, { wallet: anna, skip: 15, limit: 5 });
  expect(last.items).toMatchObject([{ type: 'welcome', amountMinor: 100_000n, game: null }]);
  const positions: number[] = [];
  for (let skip = 0; skip < 20; skip += 5) {
    const { items } = await readTransactions(db, { wallet: anna, skip, limit: 5 });
    positions.push(...items.map(({ position }) => position));
  }
  expect(positions).toEqual([...positions].sort((a, b) => b - a));
  expect(new Set(positions).size).toBe(16);
  const beyond = await readTransactions(db, { wallet: anna, skip: 20, limit: 5 });
  expect(beyond).toEqual({ items: [], total: 16 });
  expect(await readTransactions(db, { wallet: walletOf(3), skip: 0, limit: 5 })).toEqual({
    items: [],
    total: 0,
  });
});
