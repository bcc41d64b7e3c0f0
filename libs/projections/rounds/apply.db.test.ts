import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rounds } from './projection.ts';
import { readRound, readRounds } from './read.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);

test('rounds come newest first by game, each whole', async () => {
  const projecting = await startProjecting(database, rounds);
  const db = database.pool('app');
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  history.bet(anna, 100n, 250n);
  history.bet(anna, 300n, 0n, 'snake');
  history.bet(bert, 200n, 0n);
  history.bet(anna, 500n, 0n);
  // One event a batch: every bet is settled by a later one.
  await projecting.applyInBatches(history.recorded(), 1);
  history.bet(anna, 400n, 4_000n);
  await projecting.applyInBatches(history.recorded(), 100);
  const { items, total } = await readRounds(db, {
    wallet: anna,
    game: 'slot-machine',
    page: 1,
    pageSize: 2,
  });
  expect(total).toBe(3);
  expect(items.map(({ round, settled }) => [round, settled?.payoutMinor])).toEqual([
    ['id1-4', 4_000n],
    ['id1-3', 0n],
  ]);
  expect(await readRound(db, 'id1-1')).toEqual({
    round: 'id1-1',
    wallet: anna,
    game: 'slot-machine',
    stakeMinor: 100n,
    lines: 25,
    rules: 'slot-1',
    serverSeedHash: '1'.padStart(64, '0'),
    clientSeed: 'lucky',
    nonce: 0,
    betPosition: 11,
    placedAt: '2026-11-21T13:00:11.000Z',
    settled: {
      payoutMinor: 250n,
      outcome: { symbols: [1, 1, 2] },
      position: 12,
      at: '2026-11-21T13:00:12.000Z',
    },
  });
  expect(await readRound(db, 'id9-1')).toBeNull();
});

test('a round whose settlement has not come is open', async () => {
  const fresh = await createDatabase();
  const projecting = await startProjecting(fresh, rounds);
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 100n, 0n);
  const events = history.recorded();
  await projecting.apply(events.slice(0, -1));
  expect(await readRound(fresh.pool('app'), 'id1-1')).toMatchObject({ settled: null });
  await projecting.apply(events.slice(-1));
  expect(await readRound(fresh.pool('app'), 'id1-1')).toMatchObject({
    settled: { payoutMinor: 0n },
  });
  await fresh.drop();
});
