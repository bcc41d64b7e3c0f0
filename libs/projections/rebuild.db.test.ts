import { readCheckpoints, releaseLease } from '@reelbook/event-store/checkpoint';
import { READ_LOG_LIMIT_MAX, readHead, readLog } from '@reelbook/event-store/read-log';
import { Bug } from '@reelbook/ledger/assert';
import { type History, walletOf } from '@reelbook/testing/history';
import { createPlayedLedger, type PlayedLedger } from '@reelbook/testing/played-ledger';
import { startProjecting } from '@reelbook/testing/projecting';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { projections } from './all.ts';
import { balances } from './balances/projection.ts';
import { replayAndCompare } from './compare.ts';
import { entries } from './entries/projection.ts';
import { readLag } from './lag.ts';
import { CannotRebuild, catchUp, readParallel, takeParallel } from './parallel.ts';
import type { Projection } from './projection.ts';
import { discardParallel, goBack, rebuild, rebuildTogether } from './rebuild.ts';
import { seeds } from './seeds/projection.ts';
import { switchTo } from './switch.ts';

const POOL_MAX = 6;
const holder = 'test-rebuild';
const steps = {};

let ledger: PlayedLedger;
let projector: pg.Pool;
let owner: pg.Pool;
beforeEach(async () => {
  ledger = await createPlayedLedger();
  projector = ledger.database.pool('projector', POOL_MAX);
  owner = ledger.database.pool('owner');
});
afterEach(() => ledger.database.drop());

const pool = () => projector;

/** The current ledger. */
const events = () => readLog(pool(), { from: 1, limit: READ_LOG_LIMIT_MAX });

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

/** Events that bets alone do not cause, so that no table is empty. */
function recordRareEvents(history: History): void {
  history.observeTreasury(10n ** 15n);
  history.exchange(walletOf(0), 'points', 1_000_000n);
  history.withdraw(walletOf(0), 50n * 10n ** 9n);
  history.start(walletOf(1), 'snake', 5);
  history.seal(3);
  history.anchor(1);
}

const isParallel = ({ name }: { readonly name: string }) => name.includes('@');

test('each is rebuilt in parallel, fixes the live one by a switch, and back again', async () => {
  recordRareEvents(ledger.history);
  await ledger.play(60);
  for (const projection of projections) {
    const { name, version, tables } = projection;
    const table = tables.at(-1)?.name ?? '';
    const live = await project(projection);
    const parallel = await rebuild(pool(), { projection, holder, steps, switch: false });
    const unchanged = { from: 0, switched: false, comparison: { equal: true } };
    expect(parallel, name).toMatchObject(unchanged);
    const sound = await rowsOf('projections', table);
    expect(sound, `a row of ${name}: add an event to recordRareEvents`).not.toEqual([]);
    expect(await rowsOf('projections_rebuilt', table), name).toEqual(sound);
    expect(await readParallel(pool())).toMatchObject([{ of: name, position: parallel.position }]);
    expect((await readLag(pool())).filter(isParallel)).toEqual([]);

    await owner.query(
      `delete from projections.${table} where ctid = (select max(ctid) from projections.${table})`,
    );
    const spoilt = await rowsOf('projections', table);
    const fixed = await rebuild(pool(), { projection, holder, steps, switch: true });
    const different = { equal: false, firstDifference: { table } };
    expect(fixed.comparison, name).toMatchObject(different);
    expect(await rowsOf('projections', table), name).toEqual(sound);
    expect(await rowsOf('projections_replaced', table), name).toEqual(spoilt);
    expect(await replayAndCompare(pool(), projection), name).toMatchObject({ equal: true });

    // The live worker's lease is still valid.
    await ledger.play(7);
    await live.applyInBatches(await events(), 5);
    expect(await replayAndCompare(pool(), projection), name).toMatchObject({ equal: true });
    expect(await readParallel(pool())).toMatchObject([{ of: name, position: parallel.position }]);
    expect(await discardParallel(pool(), { projection, holder })).toEqual(['replaced']);
    const left = await readCheckpoints(pool());
    expect(left.filter(isParallel)).toEqual([]);
    expect(left).toContainEqual(expect.objectContaining({ name, version }));
    const tablesLeft = await owner.query(
      "select from pg_tables where schemaname in ('projections_rebuilt', 'projections_replaced', 'projections_moving')",
    );
    expect(tablesLeft.rowCount, name).toBe(0);
  }
});

test('going back catches the replaced copy up, repeatedly', async () => {
  await ledger.play(30);
  const live = await project(entries);
  await rebuild(pool(), { projection: entries, holder, steps, switch: true });
  await ledger.play(30);
  await live.applyInBatches(await events(), 50);
  for (let turn = 0; turn < 2; turn++) {
    const back = await goBack(pool(), { projection: entries, holder, steps });
    expect(back).toMatchObject({ switched: true, comparison: { equal: true } });
    expect(await readParallel(pool())).toMatchObject([{ name: 'entries@replaced' }]);
    expect(await replayAndCompare(pool(), entries)).toMatchObject({ equal: true });
  }
});

test('a rebuild that died continues from its checkpoint, and only one works at a time', async () => {
  await ledger.play(30);
  await project(balances);
  const first = await takeParallel(pool(), { projection: balances, place: 'rebuilt', holder: 'a' });
  await catchUp([first], 20, steps);
  const again = { projection: balances, holder, steps, switch: false };
  await expect(rebuild(pool(), again)).rejects.toThrow('is in use by a at position 20');
  await expect(discardParallel(pool(), again)).rejects.toThrow(CannotRebuild);
  await owner.query(
    "update checkpoints set lease_until = now() - interval '1 s' where name = 'balances@rebuilt'",
  );
  expect(await rebuild(pool(), again)).toMatchObject({ from: 20, comparison: { equal: true } });
  // The process that was presumed dead wakes up and may not continue.
  await expect(catchUp([first], 21, steps)).rejects.toThrow('may no longer move');
  await expect(switchTo(first, steps)).rejects.toThrow();
  expect(await readParallel(pool())).toMatchObject([{ name: 'balances@rebuilt' }]);
});

test('several rebuilds read the ledger once, each from its checkpoint', async () => {
  recordRareEvents(ledger.history);
  await ledger.play(60);
  for (const projection of projections) await project(projection);
  const left = await takeParallel(pool(), { projection: balances, place: 'rebuilt', holder });
  await catchUp([left], 20, steps);
  await releaseLease(pool(), left.lease);
  const reads: number[] = [];
  const counted = countReads(pool(), (from) => reads.push(from));
  const rebuilt = await rebuildTogether(counted, { projections, holder, steps, switch: false });
  const { position } = await readHead(pool());
  expect(rebuilt.map(({ from }) => from)).toEqual(
    projections.map((one) => (one === balances ? 20 : 0)),
  );
  for (const { comparison } of rebuilt) expect(comparison).toMatchObject({ equal: true, position });
  expect(reads).toEqual([1, 21]);
});

test('of several, the one that cannot apply an event is named, and all leases are released', async () => {
  await ledger.play(20);
  for (const projection of [balances, entries]) await project(projection);
  const broken: Projection = {
    ...entries,
    fold(batch) {
      if (batch.some(({ position }) => position === 33)) throw new Bug('no such thing');
      return entries.fold(batch);
    },
  };
  const o = { holder, steps, switch: true };
  await expect(rebuildTogether(pool(), { ...o, projections: [balances, broken] })).rejects.toThrow(
    'entries cannot apply the event at position 33',
  );
  const { position } = await readHead(pool());
  const parallel = [...(await readParallel(pool()))].sort((a, b) => a.name.localeCompare(b.name));
  expect(parallel).toMatchObject([
    { name: 'balances@rebuilt', position, leaseUntil: null },
    { name: 'entries@rebuilt', position: 32, leaseUntil: null },
  ]);
  const again = await rebuildTogether(pool(), { ...o, projections: [balances, entries] });
  expect(again).toMatchObject([{ from: position }, { from: 32 }]);
  for (const one of again) expect(one).toMatchObject({ comparison: { equal: true } });
});

test('of many, at most three write in parallel, so that reads and leases find a free connection', async () => {
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
  await rebuildTogether(pool(), { projections: watched, holder, steps, switch: false });
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

test('an impossible request is reported and changes nothing', async () => {
  await ledger.play(5);
  await project(balances);
  const todo = { projection: balances, holder, steps };
  await expect(goBack(pool(), todo)).rejects.toThrow('nothing to go back to');
  expect(await discardParallel(pool(), todo)).toEqual([]);
  const stopping = AbortSignal.abort(new CannotRebuild('stopped'));
  const stopped = rebuild(pool(), { ...todo, steps: { signal: stopping }, switch: true });
  await expect(stopped).rejects.toThrow('stopped');
  expect(await readParallel(pool())).toMatchObject([{ position: 0, leaseUntil: null }]);
});

test('projections that were never built are built to the head in one read of the ledger', async () => {
  await ledger.play(20);
  const reads: number[] = [];
  const counted = countReads(pool(), (from) => reads.push(from));
  const o = { projections: [entries, seeds], holder, steps, switch: false };
  await rebuildTogether(counted, o);
  expect(reads).toEqual([1]);
  await rebuild(pool(), { projection: balances, holder, steps, switch: true });
  const { position } = await readHead(pool());
  expect(await ledger.checkpoint('balances')).toMatchObject({ position, status: 'running' });
  expect(await replayAndCompare(pool(), balances)).toMatchObject({ equal: true, position });
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
  const todo = { holder, steps, switch: true };
  await expect(rebuild(pool(), { ...todo, projection: unfixed })).rejects.toThrow(
    'cannot apply the event at position 33: no such thing',
  );
  expect(await ledger.checkpoint('balances')).toMatchObject({ position: 30, status: 'stopped' });
  const fixed = await rebuild(pool(), { ...todo, projection: balances });
  const { position } = await readHead(pool());
  expect(fixed).toMatchObject({ from: 32, position, switched: true, comparison: null });
  expect(await ledger.checkpoint('balances')).toMatchObject({ position, status: 'running' });
  expect(await replayAndCompare(pool(), balances)).toMatchObject({ equal: true, position });
});

test('a comparison that began before a switch uses the tables that were live then', async () => {
  await ledger.play(30);
  await project(entries);
  let switched: Promise<unknown> | null = null;
  const compared = await replayAndCompare(pool(), entries, {
    onProgress() {
      switched ??= rebuild(pool(), { projection: entries, holder, steps, switch: true });
    },
  });
  await switched;
  expect(compared).toMatchObject({ equal: true });
  expect(compared.rows).toBeGreaterThan(30);
});

test('a reader that never ends its transaction delays the switch, not the other readers', async () => {
  await ledger.play(5);
  await project(balances);
  const reader = await ledger.database.pool('app').connect();
  await reader.query('begin; select from projections.balances_v1');
  const switching = rebuild(pool(), { projection: balances, holder, steps, switch: true });
  const other = ledger.database.pool('app');
  await vi.waitFor(async () => {
    const waiting = await other.query(
      "select from pg_locks where mode = 'AccessExclusiveLock' and not granted",
    );
    expect(waiting.rowCount).toBe(1);
  }, WAIT);
  for (let n = 0; n < 20; n++) await other.query('select from projections.balances_v1');
  expect(await readParallel(other)).toMatchObject([{ name: 'balances@rebuilt' }]);
  await reader.query('commit');
  reader.release();
  expect(await switching).toMatchObject({ switched: true });
});
