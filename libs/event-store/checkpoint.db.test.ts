import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  acquireLease,
  advance,
  LeaseLost,
  readCheckpoints,
  releaseLease,
  renewLeases,
  resumeFollower,
  stopFollower,
} from './checkpoint.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(() => database.pool('owner', 1).query('delete from checkpoints'));
afterAll(() => database.drop());

const LEASE_MS = 60_000;
const follower = { name: 'balances', version: 1 };

async function acquire(holder: string, leaseMs = LEASE_MS) {
  return acquireLease(database.pool('projector'), { ...follower, holder, leaseMs });
}

async function held(holder: string, leaseMs = LEASE_MS) {
  const lease = await acquire(holder, leaseMs);
  if (!lease) throw new Error('not free');
  return lease;
}

/** Lets the lease run out without waiting for it. */
const expire = () =>
  database.pool('owner').query("update checkpoints set lease_until = now() - interval '1 s'");

test('one worker holds the lease at a time, until it releases it or the lease expires', async () => {
  const first = await held('a');
  expect(await acquire('b')).toBeNull();
  await releaseLease(database.pool('projector'), first);
  const second = await held('b');
  expect(second.epoch).toBe(first.epoch + 1);
  await expire();
  expect(await acquire('a')).not.toBeNull();
});

test('one of twenty parallel requests gets the lease', async () => {
  const requested = await Promise.all(Array.from({ length: 20 }, (_, n) => acquire(`p${n}`)));
  expect(requested.filter((lease) => lease !== null)).toHaveLength(1);
});

test('a request does not wait for a transaction that is moving the checkpoint', async () => {
  const moving = await held('slow');
  await expire();
  const client = await database.pool('projector').connect();
  await client.query('begin');
  await advance(client, [moving], { from: 0, to: 10, leaseMs: LEASE_MS });
  // As of the last commit the lease has run out.
  expect(await acquire('next')).toBeNull();
  await client.query('commit');
  client.release();
  expect(await acquire('next')).toBeNull();
});

test('a worker that lost the lease moves, renews and releases nothing', async () => {
  const pool = database.pool('projector');
  const late = await held('late');
  await expire();
  const next = await held('next');
  const step = { from: 0, to: 10, leaseMs: LEASE_MS };
  await expect(advance(pool, [late], step)).rejects.toThrow(LeaseLost);
  await expect(renewLeases(pool, [late], LEASE_MS)).rejects.toThrow(LeaseLost);
  await expect(stopFollower(pool, late, 'poison')).rejects.toThrow(LeaseLost);
  await releaseLease(pool, late);
  expect(await acquire('third')).toBeNull();
  await advance(pool, [next], step);
  await expect(advance(pool, [next], step)).rejects.toThrow(LeaseLost);
  expect(await readCheckpoints(pool)).toMatchObject([{ position: 10, holder: 'next' }]);
});

test('the checkpoint moves with the rows of its transaction or not at all', async () => {
  const lease = await held('a');
  const client = await database.pool('projector').connect();
  await client.query('begin');
  await advance(client, [lease], { from: 0, to: 5, leaseMs: LEASE_MS });
  await client.query('rollback');
  client.release();
  expect(await readCheckpoints(database.pool('app'))).toMatchObject([{ position: 0 }]);
});

test('a second worker waits for the first to commit and then finds it moved', async () => {
  const lease = await held('a');
  const step = { from: 0, to: 5, leaseMs: LEASE_MS };
  const client = await database.pool('projector').connect();
  await client.query('begin');
  await advance(client, [lease], step);
  const refused = expect(advance(database.pool('projector'), [lease], step)).rejects.toThrow(
    LeaseLost,
  );
  await client.query('commit');
  client.release();
  await refused;
});

test('a stopped checkpoint does not move and shows its reason until it is resumed', async () => {
  const pool = database.pool('projector');
  const lease = await held('a');
  await stopFollower(pool, lease, 'position 7: poison');
  expect(await acquire('b')).toBeNull();
  expect(await readCheckpoints(pool)).toMatchObject([
    { status: 'stopped', error: 'position 7: poison', holder: null, leaseUntil: null },
  ]);
  await resumeFollower(pool, follower);
  expect(await acquire('b')).toMatchObject({ position: 0, epoch: lease.epoch + 1 });
});
