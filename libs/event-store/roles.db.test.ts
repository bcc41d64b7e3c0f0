import { randomUUID } from 'node:crypto';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHead } from './read-log.ts';

const REGISTERED = 5; // events of a registration

let database: TestDatabase;
let app: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  app = database.pool('app');
  const history = createHistory();
  history.register(walletOf(1));
  await history.appendTo(app);
});
afterAll(() => database.drop());

describe('roles', () => {
  it.each([
    'insert into events select 9, 9, 1, now(), gen_random_uuid(), $$X$$, $${}$$, sha256($$$$)',
    'update events set type = $$X$$',
    'delete from events',
    'truncate events',
    'update streams set version = 9',
    'insert into idempotency_keys values (gen_random_uuid(), sha256($$$$), 1)',
    'update ledger_head set position = 0',
    'create table mine (x int)',
  ])('the application may not: %s', async (sql) => {
    await expect(app.query(sql)).rejects.toThrow(/permission denied/);
    const projector = database.pool('projector');
    await expect(projector.query(sql)).rejects.toThrow(/permission denied/);
    expect(await readHead(app)).toMatchObject({ position: REGISTERED });
  });

  // The planner would run the function of an index or of statistics with the rights of the reader, and a policy likewise.
  it.each([
    'create function projections.run() returns int language sql immutable as $$ select 1 $$',
    'create index on projections.balances_v1 ((points + 1))',
    'create statistics projections.more on (points + 1), token from projections.balances_v1',
    'create policy ran on projections.balances_v1 using (true)',
    'create rule ran as on update to projections.balances_v1 do instead nothing',
    'create view projections.seeming as select 1 as x',
    'create table projections.more (x int)',
    'create type projections.kind as enum ()',
    'create table projections_rebuilt.more (x int)',
    'alter table projections.balances_v1 alter column points type text',
    'alter schema projections rename to mine',
    'create schema mine',
    `create function pg_temp.run() returns int language sql immutable as $$ select 1 $$;
      create statistics projections.more on (pg_temp.run()), token from projections.balances_v1`,
    `create function pg_temp.run() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger ran before update on projections.balances_v1 execute function pg_temp.run()`,
  ])('the projector adds nothing that readers run: %s', async (sql) => {
    await expect(database.pool('projector', 1).query(sql)).rejects.toThrow(
      /permission denied|must be owner/,
    );
  });

  it.each([
    'update events set type = $$X$$',
    'delete from events',
    'truncate events',
    'delete from idempotency_keys',
    'delete from ledger_head',
    'truncate streams',
    'update server_seeds set key_id = $$x$$',
  ])('even the owner is refused by a trigger: %s', async (sql) => {
    await expect(database.pool('owner').query(sql)).rejects.toThrow('append-only');
    expect(await readHead(app)).toMatchObject({ position: REGISTERED });
  });

  it.each([
    ['expected version', 'null::bigint[]', "'{-1}'", 'a command with a part missing'],
    [
      'expected version of an array from 0',
      "'[0:0]={0}'",
      "'{-1}'",
      'a command with a part missing',
    ],
    ['configuration version', "'{0}'", "'{null}'", 'a command with a part missing'],
  ])('no forged call passes a check: no %s', async (_what, expected, config, message) => {
    const sql = `select append('{${randomUUID()}}', array[sha256('x')], array[stream_key('player-forged')],
      '{player-forged}', ${expected}, '{1}', ${config},
      '{0}', '{false}', '{"{}"}', '{1}', '{X}', array['"data":{},"meta":{}}'], ${Date.now()})`;
    await expect(app.query(sql)).rejects.toThrow(message);
    expect(await readHead(app)).toMatchObject({ position: REGISTERED });
  });

  it("no stream is written under another's key", async () => {
    const sql = `select append('{${randomUUID()}}', array[sha256('x')], array[stream_key('player-other')],
      '{player-forged}', '{0}', '{1}', '{-1}', '{0}', '{false}', '{"{}"}', '{1}', '{X}',
      array['"data":{},"meta":{}}'], ${Date.now()})`;
    await expect(app.query(sql)).rejects.toThrow('not a stream and its key: player-forged');
    expect(await readHead(app)).toMatchObject({ position: REGISTERED });
  });
});
