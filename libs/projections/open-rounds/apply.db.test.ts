import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRounds } from './projection.ts';
import { readOverdueRounds } from './read.ts';

const century = 100 * 365 * 24 * 3_600_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test('only what is open and overdue is found, however it was batched', async () => {
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
  const overdue = await readOverdueRounds(pool, { graceMs: -century, limit: 10 });
  expect(new Set(overdue.map(({ round }) => round))).toEqual(new Set(['id1-1', 'id4-1']));
  const [first] = await readOverdueRounds(pool, { graceMs: -century, limit: 1 });
  expect(first).toEqual({ round: 'id1-1', wallet: anna, game: 'tetris' });
  expect(await readOverdueRounds(pool, { graceMs: century, limit: 10 })).toEqual([]);
});
