import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gameDays, readStakes } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test('days, stakes and open rounds, with any batches', async () => {
  const history = createHistory();
  const [anna, bert] = [walletOf(1), walletOf(2)];
  history.register(anna);
  history.register(bert);
  for (let i = 0; i < 12; i++)
    history.bet(anna, i % 2 === 0 ? 100n : 200n, i % 3 === 0 ? 300n : 0n);
  history.start(anna, 'tetris', 5);
  history.start(bert, 'tetris', 5);
  history.settle(anna, 'tetris', 1_500n);
  history.settle(bert, 'tetris', 'void');
  history.start(bert, 'snake', 5);

  const projecting = await startProjecting(database, gameDays);
  // One event per batch: a stake and its settlement are never in one batch.
  await projecting.applyInBatches(history.recorded(), 1);
  const pool = database.pool('app');
  const days = { from: '2026-11-21', to: '2026-11-21' };
  const slot = { game: 'slot-machine', rounds: 6, voided: 0 };
  expect(await readStakes(pool, days)).toMatchObject([
    { ...slot, stakeMinor: 100n, paidMinor: 600n },
    { ...slot, stakeMinor: 200n, paidMinor: 600n },
    { game: 'tetris', rounds: 1, paidMinor: 1_500n, voided: 1 },
  ]);
  expect(await readStakes(pool, { from: '2026-11-22', to: '2026-12-01' })).toEqual([]);
  const open = await pool.query(
    `select stake from projections.game_days_open_v2 where game = 'snake'`,
  );
  expect(open.rows).toEqual([{ stake: '1000' }]);
});
