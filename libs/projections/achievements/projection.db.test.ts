import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { achievements, readAchievements } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);

test('each is earned by the round that reaches it, with any batches', async () => {
  const projecting = await startProjecting(database, achievements);
  const db = database.pool('app');
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  const settledAt: number[] = [];
  for (let n = 1; n <= 105; n++) {
    // Every third round wins; the 40th of Anna's is the first with a high stake.
    history.bet(anna, n === 40 ? 10_000n : 100n, n % 3 === 0 ? 150n : 0n);
    settledAt.push(history.recorded().at(-1)?.position ?? 0);
  }
  history.bet(bert, 100n, 0n, 'snake');
  await projecting.applyInBatches(history.recorded(), 37);
  const positionOf = (n: number) => settledAt[n - 1];
  const read = await readAchievements(db, anna);
  expect(read.map(({ name, earned }) => [name, earned?.position ?? null])).toEqual([
    ['first-win', positionOf(3)],
    ['lucky-seven', positionOf(21)],
    ['high-roller', positionOf(40)],
    ['slot-master', positionOf(100)],
    ['millionaire', null],
    ['veteran', null],
  ]);
  expect(read[4]).toMatchObject({ reached: 35n * 150n, from: 100_000_000n });
  expect(read[5]).toMatchObject({ reached: 105n });
  const others = await readAchievements(db, bert);
  expect(others.map(({ reached }) => reached)).toEqual([0n, 0n, 100n, 0n, 0n, 1n]);
  expect((await readAchievements(db, walletOf(3))).every(({ earned }) => earned === null)).toBe(
    true,
  );
});
