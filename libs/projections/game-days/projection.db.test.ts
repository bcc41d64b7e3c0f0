import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gameDays, readDays, readStakes } from './projection.ts';

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
  expect(await readDays(pool, days)).toEqual([
    {
      day: '2026-11-21',
      game: 'slot-machine',
      rounds: 12,
      stakedMinor: 1_800n,
      paidMinor: 1_200n,
      voided: 0,
    },
    expect.objectContaining({ game: 'tetris', rounds: 1, paidMinor: 1_500n, voided: 1 }),
  ]);
  const slot = (await readStakes(pool, days)).filter(({ game }) => game === 'slot-machine');
  expect(slot.map(({ stakeMinor, rounds }) => [stakeMinor, rounds])).toEqual([
    [100n, 6],
    [200n, 6],
  ]);
  expect(await readDays(pool, { ...days, game: 'snake' })).toEqual([]);
  expect(await readDays(pool, { from: '2026-11-22', to: '2026-12-01' })).toEqual([]);
  const open = await pool.query(
    `select stake from projections.game_days_open_v2 where game = 'snake'`,
  );
  expect(open.rows).toEqual([{ stake: '1000' }]);
});
