import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRevealedSeeds, readServerSeed, seeds } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);

test('revealed pairs, newest first, and the seed of a hash', async () => {
  const projecting = await startProjecting(database, seeds);
  const db = database.pool('app');
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  history.bet(anna, 100n, 0n);
  history.rotate(anna);
  history.rotate(anna);
  history.rotate(bert);
  await projecting.applyInBatches(history.recorded(), 2);
  const revealed = await readRevealedSeeds(db, { wallet: anna, limit: 50 });
  expect(revealed).toMatchObject([
    { pair: 2, nonces: 0, clientSeed: 'luckier' },
    { pair: 1, nonces: 1, clientSeed: 'lucky' },
  ]);
  expect(await readRevealedSeeds(db, { wallet: anna, limit: 1 })).toHaveLength(1);
  const [, oldest] = revealed;
  expect(await readServerSeed(db, oldest?.serverSeedHash ?? '')).toBe(oldest?.serverSeed);
  expect(await readServerSeed(db, 'f'.repeat(64))).toBeNull();
});
