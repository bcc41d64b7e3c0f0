import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notifications, readNotifications } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);

test('notifications come newest first with their facts, and are read one by one or all', async () => {
  const projecting = await startProjecting(database, notifications);
  const db = database.pool('app');
  const history = createHistory();
  const read = (wallet: string, page = 1, pageSize = 10) =>
    readNotifications(db, { wallet, page, pageSize });
  expect(await read(anna)).toEqual({ items: [], total: 0, unread: 0 });
  history.register(anna);
  history.register(bert);
  history.bet(anna, 100n, 0n);
  history.rotate(anna);
  history.exchange(anna, 'points', 10_000n);
  await projecting.applyInBatches(history.recorded(), 2);
  const all = await read(anna);
  expect(all).toMatchObject({ total: 3, unread: 3 });
  expect(all.items.map(({ n, type, kind, read: seen }) => [n, type, kind, seen])).toEqual([
    [3, 'transaction', 'exchanged', false],
    [2, 'system', 'seeds-rotated', false],
    [1, 'system', 'welcome', false],
  ]);
  const exchanged = history.recorded().at(-1);
  expect(all.items[0]).toMatchObject({ id: exchanged?.position, createdAt: exchanged?.time });

  history.readNotifications(anna, 2);
  await projecting.applyInBatches(history.recorded(), 100);
  const some = await read(anna);
  expect(some.items.map((one) => one.read)).toEqual([false, true, false]);
  expect(some.unread).toBe(2);

  // In one batch: a notification after the reading is unread.
  history.bet(anna, 100n, 0n);
  history.readNotifications(anna, 'all');
  history.rotate(anna);
  await projecting.applyInBatches(history.recorded(), 100);
  const after = await read(anna);
  expect(after.items.map((one) => one.read)).toEqual([false, true, true, true]);
  expect(after).toMatchObject({ total: 4, unread: 1 });
  expect(await read(bert)).toMatchObject({ total: 1, unread: 1, items: [{ read: false }] });
  expect((await read(anna, 2, 3)).items.map(({ n }) => n)).toEqual([1]);
  expect((await read(anna, 3, 3)).items).toEqual([]);

  // A step of a withdrawal takes the place of the one before, in this batch or in an earlier one.
  history.withdraw(anna, 1_000_000_000n);
  const [withdrawal = ''] = history.recorded().flatMap(({ event }) => {
    return event.type === 'WithdrawalRequested' ? [event.data.withdrawal] : [];
  });
  const deny = { type: 'DenyWithdrawal', withdrawal, by: 'operator:o', reason: 'tested' } as const;
  await projecting.applyInBatches(history.recorded(), 100);
  expect((await read(anna)).items[0]).toMatchObject({ n: 5, kind: 'withdrawal-requested' });
  history.act(anna, deny);
  await projecting.applyInBatches(history.recorded(), 100);
  const returned = await read(anna);
  expect(returned).toMatchObject({ total: 5, unread: 2 });
  expect(returned.items.map(({ n }) => n)).toEqual([6, 4, 3, 2, 1]);
  expect(returned.items[0]).toMatchObject({ kind: 'withdrawal-returned', read: false });
  expect((await read(anna, 2, 3)).items.map(({ n }) => n)).toEqual([2, 1]);
});
