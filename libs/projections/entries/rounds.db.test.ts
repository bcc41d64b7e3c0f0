import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entries } from './projection.ts';
import { readRound, readRounds, readRoundsById } from './rounds.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);

test('rounds come newest first by game, each complete', async () => {
  const projecting = await startProjecting(database, entries);
  const db = database.pool('app');
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  history.bet(anna, 100n, 250n);
  history.bet(anna, 300n, 0n, 'snake');
  history.bet(bert, 200n, 0n);
  history.bet(anna, 500n, 0n);
  // One event per batch: every bet is settled by a later one.
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
    committedAt: 3,
    pair: 1,
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
  const projecting = await startProjecting(fresh, entries);
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

test('rounds are found by their ids among the games of their player, timed ones too', async () => {
  const fresh = await createDatabase();
  const projecting = await startProjecting(fresh, entries);
  const db = fresh.pool('app');
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  for (let i = 0; i < 40; i++) {
    if (i === 3) history.start(bert, 'tetris', 1);
    if (i === 30) history.settle(bert, 'tetris', 'void');
    if (i === 35) history.start(bert, 'tetris', 1);
    history.bet(i % 5 === 0 ? anna : bert, 100n, i % 2 === 0 ? 150n : 0n, games[i % 3]);
  }
  await projecting.applyInBatches(history.recorded(), 7);
  const ids = [...Array.from({ length: 40 }, (_, i) => `id2-${i + 1}`), 'id1-1', 'id3-1', 'id2-x'];
  const found = await readRoundsById(db, ids);
  const placed = history.recorded().flatMap(({ event, position, stream }) => {
    if (event.type !== 'BetPlaced') return [];
    const { round, game } = event.data;
    return [{ round, game, betPosition: position, wallet: stream.slice('player-'.length) }];
  });
  const requested = placed.filter(({ round }) => ids.includes(round));
  expect(requested).toHaveLength(35);
  for (const one of requested) expect(found.get(one.round)).toMatchObject(one);
  expect(found.size).toBe(requested.length);
  const ends = (open: string) => found.get(open)?.settled;
  const lasting = requested.filter(({ game }) => game === 'tetris' && !games.includes(game));
  expect(lasting.map(({ round }) => ends(round)?.outcome)).toEqual([
    { voided: 'a test' },
    undefined,
  ]);
  const { total, items } = await readRounds(db, {
    wallet: bert,
    game: 'tetris',
    page: 1,
    pageSize: 10,
  });
  expect([total, items.map(({ settled }) => settled?.payoutMinor)]).toEqual([
    2,
    [undefined, 1_000n],
  ]);
  await fresh.drop();
});

const games = ['slot-machine', 'snake', 'minesweeper'];

test('a round without its commitment is an error and is not omitted', async () => {
  const fresh = await createDatabase();
  const projecting = await startProjecting(fresh, entries);
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 100n, 0n);
  await projecting.applyInBatches(history.recorded(), 100);
  const client = await fresh.pool('owner').connect();
  await client.query("set session_replication_role = 'replica'");
  await client.query("update events set type = 'Another' where type = 'SeedsCommitted'");
  await client.query("set session_replication_role = 'origin'");
  client.release();
  const fault = 'round id1-1 is drawn from pair 1, which was not committed to before it';
  await expect(readRound(fresh.pool('app'), 'id1-1')).rejects.toThrow(fault);
  await fresh.drop();
});
