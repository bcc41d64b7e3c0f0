import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playerStats, readPlayerStats } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);

test('figures add up over batches and over games', async () => {
  const projecting = await startProjecting(database, playerStats);
  const db = database.pool('app');
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  history.bet(anna, 100n, 250n);
  history.bet(anna, 500n, 0n);
  await projecting.applyInBatches(history.recorded(), 5);
  history.bet(anna, 100n, 150n);
  history.bet(anna, 300n, 900n, 'snake');
  history.rename(anna, 'Anna');
  await projecting.applyInBatches(history.recorded(), 100);
  const slot = { wallet: anna, game: 'slot-machine' };
  expect(await readPlayerStats(db, slot)).toEqual({
    publicId: 'id1',
    nickname: 'Anna',
    games: 3,
    wins: 2,
    stakedMinor: 700n,
    wonMinor: 400n,
    biggestWinMinor: 250n,
  });
  expect(await readPlayerStats(db, { wallet: anna, game: null })).toMatchObject({
    games: 4,
    wins: 3,
    stakedMinor: 1_000n,
    wonMinor: 1_300n,
    biggestWinMinor: 900n,
  });
  expect(await readPlayerStats(db, { wallet: bert, game: null })).toMatchObject({
    publicId: 'id2',
    nickname: null,
    games: 0,
    wonMinor: 0n,
  });
  expect(await readPlayerStats(db, { wallet: walletOf(3), game: null })).toBeNull();
});
