import { READ_LOG_LIMIT_MAX, readHead, readLog } from '@reelbook/event-store/read-log';
import { Bug } from '@reelbook/ledger/assert';
import {
  createPlayedLedger,
  type PlayedLedger,
  recordRareEvents,
} from '@reelbook/testing/played-ledger';
import { startProjecting } from '@reelbook/testing/projecting';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { projections } from './all.ts';
import { balances } from './balances/projection.ts';
import { lockForSnapshot, replayAndCompare } from './compare.ts';
import { entries } from './entries/projection.ts';
import type { Projection } from './projection.ts';
import { CannotRebuild, rebuild } from './rebuild.ts';
import { seeds } from './seeds/projection.ts';

const POOL_MAX = 6;

let ledger: PlayedLedger;
let owner: pg.Pool;
beforeEach(async () => {
  ledger = await createPlayedLedger();
  owner = ledger.database.pool('owner', POOL_MAX);
});
afterEach(() => ledger.database.drop());

/** The current ledger. */
const events = () => readLog(owner, { from: 1, limit: READ_LOG_LIMIT_MAX });

/** Applies the ledger to the live tables. */
async function project(projection: Projection) {
  const projecting = await startProjecting(ledger.database, projection);
  await projecting.applyInBatches(await events(), 100);
  return projecting;
}

async function rowsOf(schema: string, table: string): Promise<readonly string[]> {
  const { rows } = await owner.query<{ row: string }>(
    `select t::text as row from ${schema}.${table} as t order by 1`,
  );
  return rows.map(({ row }) => row);
}

const shadows = async () =>
  (await owner.query("select from pg_tables where schemaname = 'projections_rebuilt'")).rowCount;

test('each is rebuilt next to the live one, compared, and replaces it', async () => {
  recordRareEvents(ledger.history);
  await ledger.play(60);
  for (const projection of projections) {
    const { name, version, tables } = projection;
    const table = tables.at(-1)?.name ?? '';
    const live = await project(projection);
    const sound = await rowsOf('projections', table);
    expect(sound, `a row of ${name}: add an event to recordRareEvents`).not.toEqual([]);
    const before = await ledger.checkpoint(name);
    expect(await rebuild(owner, [projection]), name).toMatchObject([
      { name, comparison: { equal: true } },
    ]);
    expect(await rowsOf('projections', table), name).toEqual(sound);

    await owner.query(
      `delete from projections.${table} where ctid = (select max(ctid) from projections.${table})`,
    );
    const [fixed] = await rebuild(owner, [projection]);
    const different = { equal: false, firstDifference: { table } };
    expect(fixed?.comparison, name).toMatchObject(different);
    expect(await rowsOf('projections', table), name).toEqual(sound);
    expect(await replayAndCompare(owner, projection), name).toMatchObject({ equal: true });
    // The live worker's lease is still valid, and its role may write to the new tables.
    expect(await ledger.checkpoint(name)).toEqual({ ...before, version });
    await ledger.play(7);
    await live.applyInBatches(await events(), 5);
    expect(await replayAndCompare(owner, projection), name).toMatchObject({ equal: true });
    expect(await shadows(), name).toBe(0);
  }
});

test('several are rebuilt in one read of the ledger, and one at a time', async () => {
  recordRareEvents(ledger.history);
  await ledger.play(60);
  for (const projection of projections) await project(projection);
  const reads: number[] = [];
  const counted = countReads(owner, (from) => reads.push(from));
  let second: Promise<unknown> | null = null;
  const rebuilt = await rebuild(counted, projections, {
    onProgress() {
      second ??= expect(rebuild(owner, [balances])).rejects.toThrow('another rebuild is running');
    },
  });
  await second;
  const { position } = await readHead(owner);
  expect(rebuilt.map(({ name }) => name)).toEqual(projections.map(({ name }) => name));
  for (const { comparison } of rebuilt) expect(comparison).toMatchObject({ equal: true, position });
  expect(reads).toEqual([1]);
});

test('one that died begins again, and its tables are dropped', async () => {
  await ledger.play(30);
  await project(balances);
  await project(entries);
  await owner.query(`create table projections_rebuilt.balances_v1 (wallet text);
    insert into projections_rebuilt.balances_v1 values ('half')`);
  expect(await rebuild(owner, [entries])).toMatchObject([{ comparison: { equal: true } }]);
  expect(await shadows()).toBe(0);
});

test('of several, the one that cannot apply an event is named, and all stay live', async () => {
  await ledger.play(20);
  for (const projection of [balances, entries]) await project(projection);
  const broken: Projection = {
    ...entries,
    fold(batch) {
      if (batch.some(({ position }) => position === 33)) throw new Bug('no such thing');
      return entries.fold(batch);
    },
  };
  await expect(rebuild(owner, [balances, broken])).rejects.toThrow(
    'entries cannot apply the event at position 33: no such thing',
  );
  for (const projection of [balances, entries]) {
    expect(await replayAndCompare(owner, projection)).toMatchObject({ equal: true });
  }
  const again = await rebuild(owner, [balances, entries]);
  for (const one of again) expect(one).toMatchObject({ comparison: { equal: true } });
});

test('of many, at most three write in parallel, so that reads and locks find a free connection', async () => {
  await ledger.play(10);
  let writing = 0;
  let most = 0;
  let release = () => {};
  const three = new Promise<void>((resolve) => {
    release = resolve;
  });
  const watched = projections.map((projection) => ({
    ...projection,
    async apply(...args: Parameters<Projection['apply']>) {
      most = Math.max(most, ++writing);
      if (most === 3) release();
      await three;
      await projection.apply(...args).finally(() => writing--);
    },
  }));
  await rebuild(ledger.database.pool('owner', 5), watched);
  expect(most).toBe(3);
});

function countReads(of: pg.Pool, onRead: (from: number) => void): pg.Pool {
  const query = (sent: { name?: string; values?: readonly number[] }, ...more: unknown[]) => {
    if (sent.name === 'read-log') onRead(sent.values?.[0] ?? 0);
    return (of.query as (...args: unknown[]) => unknown)(sent, ...more);
  };
  return new Proxy(of, {
    get: (target, key) => {
      if (key === 'query') return query;
      const value = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('a stop leaves the live one', async () => {
  await ledger.play(5);
  await project(balances);
  const signal = AbortSignal.abort(new CannotRebuild('stopped'));
  await expect(rebuild(owner, [balances], { signal })).rejects.toThrow('stopped');
  expect(await replayAndCompare(owner, balances)).toMatchObject({ equal: true });
});

test('projections that were never built are built to the head', async () => {
  await ledger.play(20);
  await rebuild(owner, [entries, seeds, balances]);
  const { position } = await readHead(owner);
  expect(await ledger.checkpoint('balances')).toMatchObject({ position, status: 'running' });
  expect(await replayAndCompare(owner, balances)).toMatchObject({ equal: true, position });
});

test('a projection that stopped at an event continues from the head once the code is fixed', async () => {
  await ledger.play(20);
  const projecting = await startProjecting(ledger.database, balances);
  await projecting.applyInBatches((await events()).slice(0, 30), 10);
  await owner.query(
    "update checkpoints set status = 'stopped', error = 'position 31: a reason', holder = null",
  );
  const unfixed: Projection = {
    ...balances,
    fold(events) {
      if (events.some(({ position }) => position === 33)) throw new Bug('no such thing');
      return balances.fold(events);
    },
  };
  await expect(rebuild(owner, [unfixed])).rejects.toThrow(
    'cannot apply the event at position 33: no such thing',
  );
  expect(await ledger.checkpoint('balances')).toMatchObject({ position: 30, status: 'stopped' });
  const [fixed] = await rebuild(owner, [balances]);
  const { position } = await readHead(owner);
  expect(fixed).toMatchObject({ position, comparison: { equal: true, position: 30 } });
  expect(await ledger.checkpoint('balances')).toMatchObject({ position, status: 'running' });
  expect(await replayAndCompare(owner, balances)).toMatchObject({ equal: true, position });
});

test('a comparison that began before the end of a rebuild reads the tables that were live then', async () => {
  await ledger.play(30);
  await project(entries);
  let rebuilding: Promise<unknown> | null = null;
  const compared = await replayAndCompare(owner, entries, {
    onProgress() {
      rebuilding ??= rebuild(owner, [entries]);
    },
  });
  await rebuilding;
  expect(compared).toMatchObject({ equal: true });
  expect(compared.rows).toBeGreaterThan(30);
});

/** Resolves when a rebuild waits for the lock on live tables. */
const untilWaiting = () =>
  vi.waitFor(async () => {
    const waiting = await owner.query(
      `select from pg_locks where mode = 'AccessExclusiveLock' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(waiting.rowCount).toBe(1);
  }, WAIT);

test('a reader that never ends its transaction delays the end of a rebuild, not the other readers', async () => {
  await ledger.play(5);
  await project(balances);
  const reader = await ledger.database.pool('app').connect();
  await reader.query('begin; select from projections.balances_v1');
  const rebuilding = rebuild(owner, [balances]);
  const other = ledger.database.pool('app');
  await untilWaiting();
  for (let n = 0; n < 20; n++) await other.query('select from projections.balances_v1');
  expect(await shadows()).toBe(1);
  await reader.query('commit');
  reader.release();
  expect(await rebuilding).toMatchObject([{ comparison: { equal: true } }]);
});

test('a reader with a snapshot finds the old rows or the new ones, never an empty table', async () => {
  await ledger.play(5);
  await project(balances);
  const rows = await rowsOf('projections', 'balances_v1');
  const app = ledger.database.pool('app');
  const readAll = async (reader: pg.PoolClient) =>
    (await reader.query('select from projections.balances_v1')).rowCount;
  const [before, during] = [await app.connect(), await app.connect()];
  await lockForSnapshot(before, balances, ['projections']);
  expect(await readAll(before)).toBe(rows.length);
  const rebuilding = rebuild(owner, [balances]);
  await untilWaiting();
  // It waits for the rebuild, which waits for the first one.
  const locked = lockForSnapshot(during, balances, ['projections']);
  expect(await readAll(before)).toBe(rows.length);
  await before.query('commit');
  await locked;
  // The rebuild waits for a moment at a time: between two of them the reader comes first.
  expect(await readAll(during)).toBe(rows.length);
  await during.query('commit');
  await rebuilding;
  for (const reader of [before, during]) reader.release(true);
});
