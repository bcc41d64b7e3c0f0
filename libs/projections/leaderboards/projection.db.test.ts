import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balances } from '../balances/projection.ts';
import { leaderboards, readLeaderboard } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);

test('three boards, best first, ties by public id, with the current nickname', async () => {
  const all = [
    await startProjecting(database, leaderboards),
    await startProjecting(database, balances),
  ];
  const db = database.pool('app');
  const carl = walletOf(3);
  const history = createHistory();
  for (const wallet of [anna, bert, carl]) history.register(wallet);
  history.rename(bert, 'Bertie');
  history.bet(anna, 100n, 150n);
  history.bet(anna, 100n, 150n);
  history.bet(bert, 1_000n, 5_000n);
  for (const one of all) await one.applyInBatches(history.recorded(), 4);
  history.bet(bert, 90_000n, 0n);
  history.rename(bert, 'Bert');
  for (const one of all) await one.applyInBatches(history.recorded(), 100);
  const of = async (board: 'earnings' | 'wins' | 'points') =>
    (await readLeaderboard(db, { board, limit: 10 })).map((entry) => entry.publicId);
  expect(await of('earnings')).toEqual(['id2', 'id1']);
  expect(await of('wins')).toEqual(['id1', 'id2']);
  expect(await of('points')).toEqual(['id1', 'id3', 'id2']);
  expect(await readLeaderboard(db, { board: 'earnings', limit: 1 })).toEqual([
    {
      rank: 1,
      publicId: 'id2',
      nickname: 'Bert',
      earningsMinor: 5_000n,
      wins: 1,
      pointsMinor: 14_000n,
    },
  ]);
});

test('a player who never registered stops the projection', async () => {
  const fresh = await createDatabase();
  const projecting = await startProjecting(fresh, leaderboards);
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 100n, 150n);
  const [, ...rest] = history
    .recorded()
    .map((one, index) => ({ ...one, position: index, firstPosition: index }));
  await expect(projecting.apply(rest)).rejects.toThrow('public_id');
  await fresh.drop();
});
