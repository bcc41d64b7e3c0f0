import { assert } from '@reelbook/ledger/assert';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OverdueRound, openRounds, readOverdueRounds } from './projection.ts';

const century = 100 * 365 * 24 * 3_600_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test('finds only rounds that are open and overdue, with any batches', async () => {
  const history = createHistory();
  const wallets = [1, 2, 3, 4].map(walletOf);
  for (const wallet of wallets) history.register(wallet);
  const [anna = '', bert = '', carl = '', dora = ''] = wallets;
  history.start(anna, 'tetris', 5);
  history.start(bert, 'snake', 5);
  history.start(carl, 'minesweeper', 5);
  history.start(dora, 'tetris', 600);
  history.settle(bert, 'snake', 1_500n);
  history.settle(carl, 'minesweeper', 'void');
  history.bet(anna, 100n, 0n);

  const projecting = await startProjecting(database, openRounds);
  await projecting.applyInBatches(history.recorded(), 3);
  const pool = database.pool('app');
  const read = (options: { graceMs?: number; limit?: number; after?: OverdueRound } = {}) =>
    readOverdueRounds(pool, { graceMs: -century, limit: 10, after: null, ...options });
  expect((await read()).map(({ round }) => round)).toEqual(['id1-1', 'id4-1']);
  const [first] = await read({ limit: 1 });
  assert(first, 'one is overdue');
  expect(first).toMatchObject({ round: 'id1-1', wallet: anna, game: 'tetris' });
  expect((await read({ after: first })).map(({ round }) => round)).toEqual(['id4-1']);
  const [last] = await read({ after: first });
  assert(last, 'another is overdue');
  expect(await read({ after: last })).toEqual([]);
  expect(await read({ graceMs: century })).toEqual([]);
});
