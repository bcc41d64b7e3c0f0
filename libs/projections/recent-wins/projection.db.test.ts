import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRecentWins, recentWins } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);

test('wins that were big by the multiple in force, newest first', async () => {
  const projecting = await startProjecting(database, recentWins);
  const db = database.pool('app');
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  history.bet(anna, 100n, 399n);
  history.bet(anna, 100n, 400n);
  history.setBigWinMultiple(10.5);
  history.bet(anna, 100n, 1_000n);
  await projecting.applyInBatches(history.recorded(), 3);
  history.bet(bert, 100n, 1_050n);
  history.setBigWinMultiple(2);
  history.bet(bert, 100n, 200n);
  history.rename(bert, 'Bert');
  await projecting.applyInBatches(history.recorded(), 100);
  const wins = await readRecentWins(db, { limit: 10 });
  expect(wins.map(({ publicId, payoutMinor }) => [publicId, payoutMinor])).toEqual([
    ['id2', 200n],
    ['id2', 1_050n],
    ['id1', 400n],
  ]);
  expect(wins[0]).toMatchObject({ nickname: 'Bert', game: 'slot-machine', stakeMinor: 100n });
  expect(await readRecentWins(db, { limit: 1 })).toHaveLength(1);
});
