import { acquireLease } from '@reelbook/event-store/checkpoint';
import { readLog } from '@reelbook/event-store/read-log';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { applyBatch } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projections } from './all.ts';
import { balances } from './balances/projection.ts';
import { readLag } from './lag.ts';
import { assertTables, ensureTables, NotInLedger } from './run.ts';

const LEASE_MS = 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test('parallel calls create the tables once; the projector writes rows, and the app reads', async () => {
  const owner = database.pool('owner');
  await owner.query('drop schema projections cascade; create schema projections');
  await owner.query('grant usage on schema projections to reelbook_app, reelbook_projector');
  await Promise.all([1, 2, 3].map(() => ensureTables(owner, projections)));
  await assertTables(database.pool('projector'), projections);
  const { rows } = await owner.query<{
    name: string;
    owned: boolean;
    read: boolean;
    write: boolean;
  }>(
    `select tablename as name, tableowner = current_user as owned,
      has_table_privilege('reelbook_app', 'projections.' || tablename, 'select') as read,
      has_table_privilege('reelbook_app', 'projections.' || tablename, 'insert,update,delete') as write
      from pg_tables where schemaname = 'projections' order by tablename`,
  );
  expect(rows.map((row) => row.name)).toEqual(
    projections.flatMap(({ tables }) => tables.map((table) => table.name)).sort(),
  );
  for (const row of rows) expect(row).toMatchObject({ owned: true, read: true, write: false });
  const projector = database.pool('projector');
  for (const { name } of rows) {
    await projector.query(`select from projections.${name}; delete from projections.${name}`);
  }
  for (const ddl of [
    'create table projections.x (n int)',
    'create index on projections.balances_v1 (points)',
    'alter table projections.balances_v1 add x int',
    'create function projections.x() returns int language sql as $$ select 1 $$',
    'create statistics on points, token from projections.balances_v1',
    'create policy x on projections.balances_v1 using (true)',
    'create view projections.x as select 1',
    'create schema x',
    'create table projections_rebuilt.x (n int)',
    'create trigger x before insert on projections.balances_v1 execute function suppress_redundant_updates_trigger()',
  ]) {
    await expect(projector.query(ddl), ddl).rejects.toThrow(/permission denied|must be owner/);
  }
  await owner.query('drop table projections.seeds_v1');
  await expect(assertTables(projector, projections)).rejects.toThrow('seeds has no table');
  await ensureTables(owner, projections);
});

test('a migration takes no lock on tables that a projector writes', async () => {
  const writer = await database.pool('projector').connect();
  const names = projections.flatMap(({ tables }) =>
    tables.map(({ name }) => `projections.${name}`),
  );
  await writer.query('begin');
  await writer.query(`lock table ${names.join(', ')} in row exclusive mode`);
  await ensureTables(database.pool('owner'), projections);
  await writer.query('rollback');
  writer.release();
});

test('events that are not the ledger’s change nothing, nor does half a batch', async () => {
  const history = createHistory();
  history.register(walletOf(1));
  await history.appendTo(database.pool('app'));
  const pool = database.pool('projector');
  const { name, version } = balances;
  const lease = await acquireLease(pool, { name, version, holder: 'test', leaseMs: LEASE_MS });
  if (!lease) throw new Error('not free');
  const apply = (events: Awaited<ReturnType<typeof readLog>>) =>
    applyBatch(pool, { projection: balances, lease, events, leaseMs: LEASE_MS });
  // Recorded at other times than the ledger's, so with other hashes.
  await expect(apply([...history.recorded()])).rejects.toThrow(NotInLedger);
  const events = await readLog(pool, { from: 1, limit: 100 });
  await expect(apply(events.filter((event) => event.position !== 2))).rejects.toThrow('no gaps');
  const held = async () => (await pool.query('select points from projections.balances_v1')).rows;
  expect(await held()).toEqual([]);
  const lag = async () => (await readLag(pool)).find((one) => one.name === name);
  expect(await lag()).toMatchObject({ behindPositions: events.length });
  await apply(events);
  expect(await held()).toEqual([{ points: '100000' }]);
  expect(await lag()).toMatchObject({ behindPositions: 0, behindSeconds: 0 });
});
