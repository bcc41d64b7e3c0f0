import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Lease, LeaseLost, readCheckpoints, stopFollower } from './checkpoint.ts';
import {
  type LeasedWork,
  type LeasedWorker,
  startLeasedWorker,
  type Turn,
} from './leased-worker.ts';

/** Longer than a test: a lease is lost only when the test takes it. */
const TIMING = { leaseMs: 600_000, standbyMs: 20, retryMinMs: 10, retryMaxMs: 40 };
const follower = { name: 'work', version: 1 };
const log = { info() {}, warn() {} };

let database: TestDatabase;
const workers: LeasedWorker[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(() => database.pool('owner', 1).query('delete from checkpoints'));
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.close())));
afterAll(() => database.drop());

function start(work: Partial<LeasedWork> = {}) {
  const seen = { turns: 0, taken: [] as Lease[], lost: [] as Lease[] };
  const { turn = async () => void (await sleep(5)), ...rest } = work;
  const worker = startLeasedWorker({
    pool: database.pool('app'),
    log,
    followers: [follower],
    timing: TIMING,
    onTaken: (lease) => void seen.taken.push(lease),
    onLost: (lease) => void seen.lost.push(lease),
    async turn(now) {
      seen.turns++;
      await turn(now);
    },
    ...rest,
  });
  workers.push(worker);
  return { worker, seen };
}

/** As another process does when the lease has run out. */
const takeOver = () =>
  database.pool('owner').query(
    `update checkpoints set lease_epoch = lease_epoch + 1, holder = 'another',
      lease_until = now() + interval '1 h'`,
  );
const endOther = () =>
  database.pool('owner').query('update checkpoints set holder = null, lease_until = null');
const until = (action: () => unknown) => vi.waitFor(action, WAIT);

test('one of two acts; closing saves its progress and frees the lease for the other', async () => {
  const saved = vi.fn(async () => {});
  const first = start({ save: saved });
  await until(() => expect(first.seen.turns).toBeGreaterThan(1));
  const second = start();
  await until(async () => expect(second.worker.status()).toEqual({ acting: false, failing: null }));
  expect(saved).not.toHaveBeenCalled();
  await first.worker.close();
  expect(saved).toHaveBeenCalledOnce();
  await until(() => expect(second.worker.status().acting).toBe(true));
  expect(second.seen.taken[0]?.epoch).toBe((first.seen.taken[0]?.epoch ?? 0) + 1);
  const { turns } = first.seen;
  await until(() => expect(second.seen.turns).toBeGreaterThan(2));
  expect(first.seen.turns).toBe(turns);
});

test('a worker that lost its lease notices at its next renewal, does no turn, and leads again later', async () => {
  const { worker, seen } = start({ timing: { ...TIMING, renewMs: 0 } });
  await until(() => expect(seen.turns).toBeGreaterThan(0));
  await takeOver();
  await until(() => expect(worker.status().acting).toBe(false));
  const { turns } = seen;
  expect(seen.lost).toEqual(seen.taken);
  const [before] = await readCheckpoints(database.pool('app'));
  expect(before?.holder).toBe('another');
  await endOther();
  await until(() => expect(seen.turns).toBeGreaterThan(turns));
  expect(seen.taken.length).toBe(2);
  expect(seen.taken[1]?.epoch).toBeGreaterThan(seen.taken[0]?.epoch ?? 0);
});

test('what an earlier turn left running cannot use the lease of a later one', async () => {
  const turns: Turn[] = [];
  const turn = async (now: Turn) => {
    turns.push(now);
    await sleep(5);
    // Like a step that Postgres refused while another step still runs.
    if (turns.length === 1) throw new Error('one step failed');
  };
  const { seen } = start({ turn, releasesOnFailure: true });
  await until(() => expect(seen.taken.length).toBe(2));
  await until(() => expect(turns.length).toBeGreaterThan(1));
  await expect(turns[0]?.hold()).rejects.toThrow(LeaseLost);
  await expect(turns.at(-1)?.hold()).resolves.toBeUndefined();
});

test('a failure shows until a turn succeeds, and the lease is kept meanwhile', async () => {
  let fails = true;
  const warn = vi.fn();
  const turn = async () => {
    await sleep(5);
    if (fails) throw new Error('the bus is away');
  };
  const { worker, seen } = start({ turn, log: { info() {}, warn } });
  await until(() => expect(seen.turns).toBeGreaterThan(3));
  expect(worker.status()).toEqual({ acting: true, failing: 'the bus is away' });
  expect(warn).toHaveBeenCalledOnce();
  fails = false;
  await until(() => expect(worker.status()).toEqual({ acting: true, failing: null }));
  expect(seen.taken.length).toBe(1);
});

test('the problem of a part of the work shows until a turn completes all of it', async () => {
  let isAway = true;
  const [warn, info] = [vi.fn(), vi.fn()];
  const turn = async ({ done }: Turn) => {
    done(isAway ? 'one of two parts failed' : null);
    await sleep(5);
  };
  const { worker, seen } = start({ turn, log: { info, warn } });
  await until(() => expect(seen.turns).toBeGreaterThan(3));
  expect(worker.status()).toEqual({ acting: true, failing: 'one of two parts failed' });
  isAway = false;
  await until(() => expect(worker.status()).toEqual({ acting: true, failing: null }));
  // Its owner logs each part; the worker logs that it recovered.
  expect(warn).not.toHaveBeenCalled();
  expect(info).toHaveBeenCalledOnce();
});

test('a failure after an incomplete turn is logged as well', async () => {
  const warn = vi.fn();
  let isAway = false;
  const turn = async ({ done }: Turn) => {
    if (isAway) throw new Error('Postgres is away');
    done('one of two parts failed');
    isAway = true;
    await sleep(5);
  };
  const { worker, seen } = start({ turn, log: { info() {}, warn } });
  await until(() => expect(seen.turns).toBeGreaterThan(3));
  expect(worker.status()).toEqual({ acting: true, failing: 'Postgres is away' });
  expect(warn).toHaveBeenCalledOnce();
});

test('losing the lease clears the failure', async () => {
  const turn = () => Promise.reject(new Error('the bus is away'));
  const { worker } = start({ turn, timing: { ...TIMING, renewMs: 0 } });
  await until(() => expect(worker.status().failing).toBe('the bus is away'));
  await takeOver();
  await until(() => expect(worker.status()).toEqual({ acting: false, failing: null }));
});

test('takes the lease of each of several followers separately, and does not renew a stopped one', async () => {
  const pool = database.pool('app');
  await database.pool('owner').query(
    `insert into checkpoints (name, version, holder, lease_until)
      values ('other', 1, 'another', now() + interval '1 h')`,
  );
  let stopped = false;
  const { worker, seen } = start({
    followers: [follower, { name: 'other', version: 1 }],
    timing: { ...TIMING, renewMs: 0 },
    async turn({ drop }) {
      await sleep(5);
      const other = seen.taken.find(({ name }) => name === 'other');
      if (!other || stopped) return;
      await stopFollower(pool, other, 'poison');
      drop(other);
      stopped = true;
    },
  });
  await until(() => expect(seen.turns).toBeGreaterThan(1));
  expect(seen.taken.map(({ name }) => name)).toEqual(['work']);
  await endOther();
  await until(() => expect(stopped).toBe(true));
  const { turns } = seen;
  await until(() => expect(seen.turns).toBeGreaterThan(turns + 2));
  expect(seen.lost).toEqual([]);
  expect(worker.status()).toEqual({ acting: true, failing: null });
});

test('without followers any number of workers run in parallel, and write no checkpoint', async () => {
  const both = [start({ followers: [] }), start({ followers: [] })];
  await until(() => {
    for (const { seen } of both) expect(seen.turns).toBeGreaterThan(2);
  });
  expect(await readCheckpoints(database.pool('app'))).toEqual([]);
});
