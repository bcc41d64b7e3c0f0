import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CATALOGUE_FILE, catalogueFaults, readCatalogue } from '@reelbook/event-store/catalogue';
import { openPool } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { integrityCheck, integrityFault, positionFaults } from '@reelbook/event-store/integrity';
import { migrate, readMigrations } from '@reelbook/event-store/migrate';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { projections } from '@reelbook/projections/all';
import { rebuild } from '@reelbook/projections/rebuild';
import { ensureTables, withoutIndexes } from '@reelbook/projections/run';
import { checkHealth } from '@reelbook/runtime/health';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { tamperWith } from '@reelbook/testing/tamper';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { auditLedger } from './audit.ts';
import { groupFindings } from './findings.ts';
import { checkProjections } from './projections-check.ts';

let database: TestDatabase;
let owner: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  owner = database.pool('owner');
  await ensureTables(owner, projections);
});
afterAll(() => database.drop());

/** Roles belong to the cluster, which other tests use: nothing is committed. */
async function faultsAfter(sql: string, client?: pg.PoolClient): Promise<readonly string[]> {
  const own = client ?? (await owner.connect());
  try {
    await own.query('begin');
    await own.query(sql);
    return await catalogueFaults(own);
  } finally {
    await own.query('rollback');
    if (!client) own.release();
  }
}

test('migrations/catalogue.json is the catalogue of the migrations and of every projection', async () => {
  // `npm run generate` writes it.
  expect(await readCatalogue(owner)).toEqual(JSON.parse(readFileSync(CATALOGUE_FILE, 'utf8')));
  expect(await catalogueFaults(owner)).toEqual([]);
  expect(await catalogueFaults(database.pool('app'))).toEqual([]);
  expect(await catalogueFaults(database.pool('projector'))).toEqual([]);
});

describe('a change that no migration made is named', () => {
  it.each([
    [
      'alter table events disable trigger all',
      'table public.events: state of trigger append_only is disabled, expected enabled',
    ],
    [
      'alter table events enable replica trigger append_only',
      'table public.events: state of trigger append_only is enabled on replicas only, expected enabled',
    ],
    ['drop trigger no_delete on streams', 'table public.streams: trigger no_delete is missing'],
    [
      'create trigger more after insert on events for each row execute function refuse_change()',
      'table public.events: trigger more is CREATE TRIGGER',
    ],
    [
      'grant insert on events to public',
      'table public.events: privileges of PUBLIC is INSERT, expected none',
    ],
    [
      'grant select (ciphertext) on server_seeds to reelbook_projector',
      'table public.server_seeds: privileges of reelbook_projector on column ciphertext is SELECT',
    ],
    [
      'create role cat_other; grant all on ledger_head to cat_other',
      'table public.ledger_head: privileges of cat_other is DELETE, INSERT',
    ],
    [
      'grant execute on function append to reelbook_projector',
      'privileges of reelbook_projector is EXECUTE, expected none',
    ],
    ['grant create on schema public to reelbook_app', 'is CREATE, USAGE, expected USAGE'],
    [
      `do $$ begin execute format('grant create on database %I to public', current_database()); end $$`,
      'database was added (privileges of PUBLIC: CREATE)',
    ],
    [
      'grant set on parameter session_replication_role to reelbook_app',
      'parameter session_replication_role was added (privileges of reelbook_app: SET)',
    ],
    [
      'alter default privileges in schema public grant all on tables to public',
      'default privileges of the owner in schema public on objects of type r was added',
    ],
    [
      'revoke select on events from reelbook_app',
      'table public.events: privileges of reelbook_app is missing, expected SELECT',
    ],
    [
      `do $$ begin execute replace(pg_get_functiondef('append'::regproc), 'elsif is_skewed then', 'elsif false then'); end $$`,
      /^function public\.append\(.*\): source is plpgsql \w{64}, expected plpgsql \w{64}$/,
    ],
    [
      'alter function append set search_path = pg_temp, public',
      /^function public\.append\(.*\): settings is search_path=pg_temp, public/,
    ],
    ['alter function append security invoker', 'security is missing, expected definer'],
    ['alter function stream_key stable', 'behaviour is stable strict parallel safe, expected'],
    [
      `create function convert_to(text, text) returns bytea language sql as 'select null::bytea'`,
      'function public.convert_to(text, text) was added',
    ],
    [
      `create schema elsewhere; create function elsewhere.any_append() returns void language sql
        security definer as 'delete from public.sessions'`,
      'function elsewhere.any_append() was added',
    ],
    [
      'create rule quiet as on insert to events do instead nothing',
      'table public.events: rule quiet is CREATE RULE quiet',
    ],
    [
      `create policy hidden on events using (current_setting('application_name') !~ 'audit');
        alter table events enable row level security`,
      "policy hidden is using (current_setting('application_name'::text) !~ 'audit'::text)",
    ],
    [
      'alter table streams force row level security',
      'table public.streams: row security is forced, expected none',
    ],
    ['alter table events owner to reelbook_app', 'owner is reelbook_app, expected the owner'],
    [
      'create role cat_owner; alter table migrations owner to cat_owner',
      /^table public\.events: owner is \w+, expected the owner$/,
    ],
    [
      'alter table idempotency_keys drop constraint idempotency_keys_pkey',
      'constraint idempotency_keys_pkey is missing, expected PRIMARY KEY (key)',
    ],
    [
      `alter table ledger_head drop constraint ledger_head_position_check;
        alter table ledger_head add check (position >= 0) not valid`,
      'constraint ledger_head_position_check is CHECK (("position" >= 0)) NOT VALID, expected',
    ],
    [
      'alter table treasury_movements disable trigger all',
      'REFERENCES public.treasury_scans(token_account), its triggers disabled, expected',
    ],
    [
      `alter table events alter recorded_at set default '2000-01-01'`,
      'column recorded_at is timestamp with time zone not null default',
    ],
    [
      'alter table events alter hash drop not null',
      'column hash is bytea, expected bytea not null',
    ],
    [
      'alter table treasury_movements alter delta type float8',
      'column delta is double precision not null, expected numeric not null',
    ],
    ['alter table sessions add admin boolean', 'column admin is boolean, expected none'],
    ['drop index events_commitments', 'index events_commitments is missing, expected CREATE INDEX'],
    ['drop index admin_jobs_one', 'index admin_jobs_one is missing, expected CREATE UNIQUE INDEX'],
    [
      'create index mine on events ((length(body::text)))',
      'table public.events: index mine is CREATE INDEX mine',
    ],
    [
      `update pg_index set indisvalid = false where indexrelid = 'events_commitments'::regclass`,
      ', invalid, expected CREATE INDEX',
    ],
    ['alter table sessions set unlogged', 'table public.sessions: persistence is unlogged'],
    [
      'create table child () inherits (events)',
      'table public.events: child public.child is inherits it, expected none',
    ],
    [
      'create schema elsewhere; create table elsewhere.child () inherits (events)',
      'table public.events: child elsewhere.child is inherits it, expected none',
    ],
    [
      `alter table projections.withdrawals_v1 rename to kept_v1;
        create view projections.withdrawals_v1 as select * from projections.kept_v1`,
      'view projections.withdrawals_v1 was added',
    ],
    ['drop table withdrawal_wait_reasons', 'table public.withdrawal_wait_reasons is missing'],
    [
      `create schema elsewhere; create view elsewhere.door as select * from events;
        grant insert on elsewhere.door to public`,
      'view elsewhere.door was added',
    ],
    ['create schema reelbook_app', 'schema reelbook_app was added (owner: the owner)'],
    ["create type mood as enum ('a')", 'type public.mood was added'],
    [
      'create operator === (leftarg = text, rightarg = text, function = texteq)',
      'operator public.===(pg_catalog.text,pg_catalog.text) was added',
    ],
    [
      `create function projections.watch() returns trigger language plpgsql as 'begin return new; end';
        create trigger watch before update on projections.withdrawals_v1 for each row
          execute function projections.watch()`,
      'table projections.withdrawals_v1: trigger watch is CREATE TRIGGER',
    ],
    [
      'drop index projections.entries_v1_player',
      'table projections.entries_v1: index entries_v1_player is missing',
    ],
    [
      'grant update on projections.withdrawals_v1 to reelbook_app',
      'privileges of reelbook_app is SELECT, UPDATE, expected SELECT',
    ],
    [
      `create function noted() returns event_trigger language plpgsql as 'begin end';
        create event trigger noted on ddl_command_end execute function noted()`,
      'event trigger noted was added (function: public.noted(), enabled)',
    ],
    [
      'alter role reelbook_app bypassrls createrole',
      'role reelbook_app: attributes is createrole bypassrls, expected none',
    ],
    [
      'grant pg_write_all_data to reelbook_projector',
      'role reelbook_projector: membership is pg_write_all_data, expected none',
    ],
    [
      'grant reelbook_app to reelbook_projector',
      'role reelbook_projector: membership is reelbook_app, expected none',
    ],
    [
      `create role cat_member login; do $$ begin execute format('grant %I to cat_member', current_user); end $$`,
      'role the owner was added (members: cat_member)',
    ],
    [
      `create function pg_catalog.stream_key(name text) returns uuid language sql immutable
        as 'select gen_random_uuid()'`,
      'function pg_catalog.stream_key(pg_catalog.text) was added',
    ],
    [
      'create operator pg_catalog.=== (leftarg = text, rightarg = text, function = texteq)',
      'operator pg_catalog.===(pg_catalog.text,pg_catalog.text) was added',
    ],
    [
      'alter role reelbook_app set search_path = pg_temp',
      'settings of reelbook_app was added (search_path: pg_temp)',
    ],
    [
      `create role cat_login login; grant reelbook_app to cat_login;
        alter role cat_login set session_replication_role = replica`,
      'settings of cat_login was added (session_replication_role: replica)',
    ],
    [
      `do $$ begin execute format('alter database %I set session_replication_role = replica',
        current_database()); end $$`,
      'settings of this database was added (session_replication_role: replica)',
    ],
    ['create publication copied for table server_seeds', 'publication copied was added'],
    [
      `create subscription feed connection 'host=127.0.0.1' publication p with (connect = false)`,
      'subscription feed was added',
    ],
  ] as const)('%s', async (sql, fault) => {
    const expected =
      typeof fault === 'string' ? expect.stringContaining(fault) : expect.stringMatching(fault);
    expect(await faultsAfter(sql)).toContainEqual(expected);
  });
});

describe('what is the site of an operator, a provider or another build is not', () => {
  it.each([
    ['nothing', 'select 1'],
    ['extensions in the schema of the site', 'create extension citext; create extension pgcrypto'],
    [
      'a schema, an event trigger and a setting of the provider',
      `create role cat_provider superuser; create schema provider authorization cat_provider;
        set local role cat_provider;
        create table provider.log (n int); grant all on provider.log to public;
        create function provider.noted() returns event_trigger language plpgsql security definer
          as 'begin end';
        create event trigger provider_noted on ddl_command_end execute function provider.noted();
        alter role cat_provider set search_path = provider; reset role`,
    ],
    [
      'privileges taken from the public',
      `revoke all on schema public from public; revoke execute on all functions in schema public from public;
        alter default privileges revoke execute on functions from public`,
    ],
    [
      'settings of speed, limits and logs, and of an extension',
      `do $$ begin
        execute format('alter database %I set work_mem = ''64MB''', current_database());
        execute format('alter database %I set statement_timeout = ''1min''', current_database());
        execute format('alter database %I set log_statement = ''ddl''', current_database());
        execute format('alter database %I set "app.name" = ''x''', current_database());
      end $$`,
    ],
    [
      'a reindex in progress',
      `create index events_pkey_ccnew on events (position);
        update pg_index set indisvalid = false where indexrelid = 'events_pkey_ccnew'::regclass`,
    ],
    [
      'a read model of another version',
      `create table projections.balances_v9 (wallet text primary key);
        create index on projections.balances_v9 (lower(wallet))`,
    ],
    ['read models that their projector has not created yet', 'drop table projections.balances_v1'],
    [
      'a view of a report, which may only be read',
      `create schema report; create view report.wins as select * from events where type = 'BetWon';
        grant select on report.wins to public`,
    ],
  ])('%s', async (_what, sql) => {
    expect(await faultsAfter(sql)).toEqual([]);
  });

  test('a rebuild', async () => {
    const filling = projections.map(({ tableSql }) => ({ tableSql: withoutIndexes(tableSql) }));
    await ensureTables(owner, filling, 'projections_rebuilt');
    expect(await catalogueFaults(owner)).toEqual([]);
    const faults = await faultsAfter(`drop index projections_rebuilt.entries_v1_player;
      grant insert on projections_rebuilt.withdrawals_v1 to public;
      create table projections_rebuilt.other_v1 (n int);
      create rule quiet as on insert to projections_rebuilt.other_v1 do instead nothing`);
    expect(faults.toSorted()).toEqual([
      expect.stringContaining('projections_rebuilt.entries_v1: index entries_v1_player is missing'),
      expect.stringContaining('projections_rebuilt.other_v1 was added (rule quiet: '),
      expect.stringContaining('projections_rebuilt.withdrawals_v1: privileges of PUBLIC is INSERT'),
    ]);
  });
});

test('an owner of another name and without superuser rights', async () => {
  const bare = await createDatabase({ bare: true });
  const admin = bare.pool('owner', 1);
  const site = `cat_site_${randomBytes(5).toString('hex')}`;
  const url = new URL(bare.url);
  [url.username, url.password] = [site, 'secret'];
  await admin.query(`create role ${site} login createrole password 'secret';
    grant reelbook_app, reelbook_projector to ${site};
    do $$ begin execute format('alter database %I owner to ${site}', current_database()); end $$`);
  const pool = openPool({ url: url.href, role: 'owner', max: 1, name: 'test-site' });
  try {
    expect(await migrate(pool)).toHaveLength((await readMigrations()).length);
    await ensureTables(pool, projections);
    expect(await catalogueFaults(pool)).toEqual([]);
    await pool.query('create extension citext');
    expect(await catalogueFaults(pool)).toEqual([]);
    // A member of an extension is not hidden if it is this owner's.
    await pool.query(`create function hidden(text) returns text language sql as 'select $1';
      alter extension citext add function hidden(text); alter extension citext add table events;
      alter table events disable trigger append_only`);
    expect(await catalogueFaults(pool)).toEqual([
      'table public.events: state of trigger append_only is disabled, expected enabled',
      expect.stringContaining('function public.hidden(text) was added'),
    ]);
  } finally {
    await pool.end();
    await bare.drop();
    await owner.query(`drop role ${site}`);
  }
});

test('a check names it at once and keeps the process ready', async () => {
  const app = database.pool('app');
  expect(await integrityFault(app)).toBeNull();
  expect(integrityFault(app)).toBe(integrityFault(app)); // one reading
  await owner.query('grant insert, delete on events to public');
  try {
    const check = integrityCheck(database.pool('app'));
    const fault = 'table public.events: privileges of PUBLIC is DELETE, INSERT, expected none';
    const { ok, checks } = await checkHealth([check]);
    expect({ ok, checks }).toEqual({ ok: true, checks: { integrity: fault } });
  } finally {
    await owner.query('revoke insert, delete on events from public');
  }
});

test('positions beyond the ledger: the audit completes, and a rebuild repairs a read model', async () => {
  const played = await createDatabase();
  const [app, boss] = [played.pool('app'), played.pool('owner', 6)];
  try {
    const vault = openSeedVault({ pool: app, key: randomBytes(32), keyId: 'test' });
    const executor = startExecutor({ pool: app });
    const players = createPlayers({ executor, vault });
    await players.configure();
    const wallet = await players.register();
    for (let n = 0; n < 10; n++) await players.spin(wallet, 10);
    await executor.close();
    const { position: head } = await readHead(app);
    const events = await readLog(app, { from: 1, limit: head });
    for (const projection of projections) {
      const projecting = await startProjecting(played, projection);
      await projecting.applyInBatches(events, 100);
    }
    await app.query(`insert into checkpoints (name, version, position)
        values ('publisher', 1, ${head}), ('cashier', 1, 0)`);
    expect(await positionFaults(app)).toEqual([]);
    await app.query('update checkpoints set position = position + 10000');
    const { findings } = await auditLedger({ pool: app, vault: null, onProgress: () => {} });
    const rows = await checkProjections({ pool: app, projections, findings, onProgress() {} });
    expect(rows).toBeGreaterThan(20);
    const at = (name: string, version: number, position: number) =>
      `the checkpoint of ${name} v${version} is at #${position}; the ledger ends at #${head}`;
    const expected = [
      ...projections.map(({ name, version }) => at(name, version, head + 10_000)),
      at('cashier', 1, 10_000),
      at('publisher', 1, head + 10_000),
    ];
    expect(new Set(findings.kept.map(({ check }) => check))).toEqual(new Set(['followers']));
    const messages = findings.kept.map(({ message }) => message);
    expect(messages).toEqual(expect.arrayContaining(expected));
    expect(messages).toHaveLength(expected.length);
    expect(groupFindings(findings)[0]?.next).toBe('projections');

    await app.query('update checkpoints set lease_until = null, holder = null');
    for (const { comparison } of await rebuild(boss, projections)) {
      expect(comparison).toMatchObject({ equal: true });
    }
    expect(await positionFaults(app)).toHaveLength(2);

    // Nor do a missing event and a missing table keep it from running.
    await tamperWith(
      played.pool('owner', 1),
      (client) =>
        client.query('delete from events where position = 7; drop table projections.seeds_v1'),
      async () => {
        const { findings } = await auditLedger({ pool: app, vault: null, onProgress: () => {} });
        await checkProjections({ pool: app, projections, findings, onProgress() {} });
        const messages = findings.kept.map(({ message }) => message);
        expect(messages).toContain('position 7 is missing');
        for (const { name } of projections)
          expect(messages).toContainEqual(expect.stringContaining(`${name} cannot be compared: `));
      },
    );
  } finally {
    await played.drop();
  }
});
