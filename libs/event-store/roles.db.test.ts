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

  it.each(['app', 'owner'] as const)('of %s run no code of the projector', async (role) => {
    const projector = database.pool('projector');
    await projector.query(`
      create or replace function projections.run() returns boolean language plpgsql as
        $$ begin raise exception 'ran as %', current_user; end $$;
      create table projections.real as select 1 as x;
      create view projections.seeming as select 1 as x where projections.run();
      alter table projections.real enable row level security, force row level security;
      create policy ran on projections.real using (projections.run());
      grant select on projections.real, projections.seeming to public`);
    const reader = database.pool(role);
    await expect(reader.query('select x from projections.seeming')).rejects.toThrow('restricted');
    // Refused, or read past the policy by a superuser.
    const read = await reader.query('select x from projections.real').catch(String);
    expect(String(read)).not.toContain('ran as');
    await projector.query('drop view projections.seeming; drop table projections.real');
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
