import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ledgerSeals,
  readAnchorOver,
  readAnchorsFrom,
  readNewestSeals,
  readSealOver,
  readSealRoots,
} from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test('the seal over each position, and the newest ones', async () => {
  const projecting = await startProjecting(database, ledgerSeals);
  const db = database.pool('app');
  const history = createHistory();
  history.register(walletOf(1));
  history.seal(2);
  history.bet(walletOf(1), 100n, 0n);
  history.seal(7);
  await projecting.applyInBatches(history.recorded(), 2);
  const over = async (position: number) => (await readSealOver(db, position))?.seal ?? null;
  expect(await Promise.all([1, 2, 3, 6, 7, 8, 9].map(over))).toEqual([1, 1, 2, 2, 2, null, null]);
  expect(await readSealOver(db, 3)).toMatchObject({ from: 3, to: 7, position: 9 });
  expect((await readNewestSeals(db, 10)).map(({ seal }) => seal)).toEqual([2, 1]);
  expect(await readNewestSeals(db, 1)).toHaveLength(1);
  expect(await readAnchorOver(db, 1)).toBeNull();
  history.seal(9);
  history.anchor(2);
  history.anchor(3);
  await projecting.applyInBatches(history.recorded(), 2);
  const anchoredBy = async (seal: number) => (await readAnchorOver(db, seal))?.position ?? null;
  expect(await Promise.all([1, 2, 3, 4].map(anchoredBy))).toEqual([11, 11, 12, null]);
  expect((await readAnchorsFrom(db, 3)).map(({ fromSeal }) => fromSeal)).toEqual([3]);
  expect((await readSealRoots(db, { from: 2, limit: 5 })).map(({ seal }) => seal)).toEqual([2, 3]);
});
