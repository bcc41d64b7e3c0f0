/** Migrations that are marked as additive: a build from before them stays ready, on exactly what they made. */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkHealth } from '@reelbook/runtime/health';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { additionsOf, catalogueFaults, MIGRATIONS, readCatalogue } from './catalogue.ts';
import { untilAvailable } from './db.ts';
import { startExecutor } from './execute.ts';
import { integrityCheck, integrityFault } from './integrity.ts';
import { migrate, schemaFault } from './migrate.ts';
import { ledgerCheck } from './read-log.ts';
import { openSeedVault } from './seed-vault.ts';

const MARK = '-- additive: notes about rounds\n';
const NOTES = `${MARK}create table round_notes (
    id bigint generated always as identity primary key,
    round text not null check (round <> ''),
    noted_at timestamptz not null default now()
  );
  create index round_notes_round on round_notes (round);
  create table note_links (note bigint references round_notes (id));
  grant select, insert on round_notes to reelbook_app;
  alter table sessions add column remark text, add column tries int not null default 0;
  create index sessions_by_tries on sessions (tries, generation) where remark is not null;
  create function first_note(of_round text) returns timestamptz language sql stable
    as $$ select min(noted_at) from round_notes where round = of_round; $$;
  comment on table round_notes is 'a; b';`;
const MORE = `${MARK}alter table round_notes add column author text not null default 'anna';
  create index round_notes_time on round_notes (noted_at);`;

const folders: string[] = [];
/** The migrations of a build with these more. */
function later(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-later-'));
  folders.push(folder);
  cpSync(MIGRATIONS, folder, { recursive: true });
  for (const [name, sql] of Object.entries(files)) {
    writeFileSync(join(folder, name), sql);
    writeFileSync(join(folder, name.replace('.sql', '.after.sql')), 'select 1');
  }
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

let database: TestDatabase;
let owner: pg.Pool;
const open = async () => {
  database = await createDatabase();
  owner = database.pool('owner');
};

const { signal } = new AbortController();
/** Of a process that starts now: readings are kept for 10 s. */
async function start() {
  const pool = database.pool('app');
  await untilAvailable(pool, { signal, onAway() {} });
  return pool;
}

describe('a build from before', () => {
  beforeEach(open);
  afterEach(() => database.drop());

  it('stays ready and starts on what additive migrations made, and a bet works', async () => {
    const running = await start();
    const health = () => checkHealth([ledgerCheck(running), integrityCheck(running)]);
    expect(await health()).toMatchObject({ ok: true });
    const folder = later({ '0098_notes.sql': NOTES, '0099_more.sql': MORE });
    expect(await migrate(owner, folder)).toEqual(['0098_notes.sql', '0099_more.sql']);
    const ready = { ok: true, checks: { ledger: null, integrity: null } };
    expect(await health()).toEqual(ready);
    const pool = await start();
    expect(await catalogueFaults(pool)).toEqual([]);
    expect(await checkHealth([ledgerCheck(pool), integrityCheck(pool)])).toEqual(ready);
    const executor = startExecutor({ pool });
    const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
    const players = createPlayers({ executor, vault });
    await players.configure();
    await players.spin(await players.register(), 10);
    await executor.close();
    // To go back to it, or to run its command, changes nothing.
    expect(await migrate(owner)).toEqual([]);
    expect(await migrate(owner, folder)).toEqual([]);
  });

  it.each([
    ['a migration without the mark', { '0099_more.sql': 'create table notes (n int)' }],
    [
      'one of several without the mark',
      { '0098_notes.sql': NOTES, '0099_more.sql': 'create table notes (n int)' },
    ],
    ['a mark without a reason', { '0099_more.sql': '-- additive:\ncreate table notes (n int)' }],
    [
      'a mark that is not in the first line',
      { '0099_more.sql': '\n-- additive: notes\ncreate table notes (n int)' },
    ],
  ])('is not ready and does not start: %s', async (_, files) => {
    await migrate(owner, later(files));
    const fault = `the database is ahead of this build: it has ${Object.keys(files).join(', ')}`;
    const { ok, checks } = await checkHealth([ledgerCheck(database.pool('app'))]);
    expect({ ok, checks }).toEqual({ ok: false, checks: { ledger: fault } });
    await expect(start()).rejects.toThrow(fault);
    await expect(migrate(owner)).rejects.toThrow(fault);
  });

  it.each([
    ['create table mine (n int)', 'table public.mine was added'],
    ['drop trigger no_delete on streams', 'trigger no_delete is missing'],
    ['alter table events disable trigger append_only', 'state of trigger append_only is disabled'],
    ['grant insert on events to public', 'privileges of PUBLIC is INSERT, expected none'],
    ['grant delete on round_notes to public', 'privileges of PUBLIC is DELETE, expected none'],
    ['drop index sessions_by_tries', 'index sessions_by_tries is missing'],
    ['drop table note_links', 'table public.note_links is missing'],
    ['alter table sessions add column mine text', 'column mine is text, expected none'],
    ['alter table sessions alter column tries drop default', 'column tries is integer not null'],
    [
      `create or replace function first_note(of_round text) returns timestamptz language sql stable
        as 'select now()'`,
      'function public.first_note(text): source is sql',
    ],
    [
      `create or replace function refuse_change() returns trigger language plpgsql
        as 'begin return null; end'`,
      'function public.refuse_change(): source is plpgsql',
    ],
  ])('is not ready, and does not start, after a change by hand: %s', async (sql, change) => {
    await migrate(owner, later({ '0099_notes.sql': NOTES }));
    await start();
    await owner.query(sql);
    const pool = database.pool('app');
    const { ok, checks } = await checkHealth([ledgerCheck(pool), integrityCheck(pool)]);
    const fault = 'it has 0099_notes.sql, and other changes: see the check integrity';
    expect(ok).toBe(false);
    expect(checks.ledger).toContain(fault);
    expect(checks.integrity).toContain(change);
    await expect(start()).rejects.toThrow(fault);
  });

  it('does not accept what was changed by hand before the migration', async () => {
    await owner.query('create table mine (n int)');
    await migrate(owner, later({ '0099_notes.sql': NOTES }));
    expect(await integrityFault(database.pool('app'))).toContain('table public.mine was added');
    expect(await schemaFault(database.pool('app'))).toContain('and other changes');
  });

  it('adds none of its own migrations to what it does not know', async () => {
    await migrate(owner, later({ '0098_notes.sql': NOTES }));
    const other = later({ '0099_more.sql': MORE });
    await expect(migrate(owner, other)).rejects.toThrow(
      'ahead of this build: it has 0098_notes.sql, and lacks 0099_more.sql',
    );
  });

  it('knows the record of the newest build that migrated, in a database of any earlier one', async () => {
    await owner.query('alter table migrations drop column additions');
    expect(await schemaFault(database.pool('app'))).toBe(
      'the database has no schema of this build: run npm run reelbook -- migrate',
    );
    expect(await migrate(owner)).toEqual([]);
    await start();
  });

  it('is held up for 3 s at most: the migration gives up a lock that others hold', async () => {
    const reader = await database.pool('app').connect();
    await reader.query('begin; select from sessions');
    const folder = later({ '0099_notes.sql': NOTES });
    await expect(migrate(owner, folder)).rejects.toThrow('canceling statement due to lock timeout');
    await reader.query('commit');
    reader.release();
    expect(await migrate(owner, folder)).toEqual(['0099_notes.sql']);
  });

  it('is held up for 3 s at most by the first migration with records', async () => {
    await owner.query('alter table migrations drop column additions');
    const reader = await database.pool('app').connect();
    await reader.query('begin; select from migrations');
    await expect(migrate(owner)).rejects.toThrow('canceling statement due to lock timeout');
    await reader.query('commit');
    reader.release();
    expect(await migrate(owner)).toEqual([]);
    await start();
  });
});

/** What no mark makes additive: for a build from before something is gone, is stricter, or runs with the rights of the owner. */
const NOT_ADDITIVE = [
  'drop index sessions_by_wallet',
  'drop table server_seeds cascade',
  'drop trigger no_delete on streams',
  'drop function reserve_stream',
  'alter table sessions drop column wallet',
  'alter table sessions rename column wallet to owner',
  'alter table sessions rename to logins',
  'alter table sessions alter column login drop not null',
  'alter table sessions alter column login type numeric',
  'alter table sessions alter column generation set default 1',
  'alter table sessions add column remark text not null',
  'alter table sessions add column remark text default gen_random_uuid()::text',
  'alter table sessions add column remark text default current_user',
  "alter table sessions add column remark text check (remark <> '')",
  'alter table sessions add column remark text unique',
  'alter table sessions add column remark bytea references server_seeds',
  'alter table sessions add column remark int generated always as (generation + 1) stored',
  'alter table sessions add column remark int generated always as identity',
  // A query that joins both tables would no longer know which one it names.
  'alter table sessions add column position bigint',
  // A function would read these instead of its argument or variable.
  'alter table streams add column command uuid',
  'alter table streams add column seconds int',
  'alter table idempotency_keys add column i int not null default 1',
  'alter table ledger_head add column head_position bigint',
  'create schema elsewhere; create domain elsewhere.short as text check (length(value) < 9);' +
    ' alter table sessions add column remark elsewhere.short',
  'alter table sessions add check (generation < 9)',
  'alter table sessions add foreign key (login) references events (position)',
  'create unique index more on sessions (wallet)',
  'create index more on sessions ((length(wallet)))',
  'create index more on sessions (wallet) where public.stream_key(wallet) is null',
  'create index more on sessions (wallet) where 1 / generation > 0',
  "create index more on events (position) where 1 / (stream <> '00000000-0000-0000-0000-000000000000'::uuid)::int > 0",
  'create index more on sessions using hash (generation)',
  'create index more on checkpoints (error)',
  'alter table sessions add column remark text; create index more on sessions (remark)',
  'alter table sessions add column remark int[]; create index more on sessions (generation, remark)',
  `create trigger more after insert on events for each row execute function refuse_change()`,
  'alter table events disable trigger append_only',
  'create rule more as on insert to events do instead nothing',
  'create policy more on events using (true)',
  'alter table events enable row level security',
  'alter table sessions set unlogged',
  'create table more () inherits (events)',
  'create table more (key uuid references streams (key))',
  'create table more (" REFERENCES a(" uuid references streams (key))',
  'create unlogged table more (n int)',
  'create table more (n int); create rule more as on insert to more do also delete from sessions',
  'create table more (n int); create trigger more after insert on more for each row execute function refuse_change()',
  'create table more (n int); alter table more owner to reelbook_app',
  'create view more as select * from server_seeds',
  'create materialized view more as select * from events',
  "create type more as enum ('a')",
  'create schema reelbook_app',
  "create function more() returns int language sql security definer as 'select 1'",
  "create function stream_key(bigint) returns uuid language sql as 'select null::uuid'",
  "create function sha256(text) returns bytea language sql as 'select null::bytea'",
  "create function pg_catalog.more() returns int language sql as 'select 1'",
  `create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'`,
  "create procedure more() language sql as 'select 1'",
  'alter function append security invoker',
  'alter function append owner to reelbook_app',
  'grant insert on events to reelbook_app',
  'grant select (ciphertext) on server_seeds to reelbook_projector',
  'create role "x on column y"; alter table sessions add column y int; grant all on sessions to "x on column y"',
  'create role "x on column y"; grant all on events to "x on column y"',
  'create role "the owner"; alter table sessions owner to "the owner"',
  'revoke select on events from reelbook_app',
  'grant execute on function append to reelbook_projector',
  'grant create on schema public to reelbook_app',
  'alter default privileges in schema public grant all on tables to public',
  'create publication more for table server_seeds',
] as const;

describe('no mark and no record makes a build accept', () => {
  beforeAll(open);
  afterAll(() => database.drop());

  it.each(NOT_ADDITIVE)('%s', async (sql) => {
    const folder = later({ '0099_more.sql': `${MARK}${sql}` });
    await expect(migrate(owner, folder)).rejects.toThrow(
      /^migration 0099_more\.sql failed and was rolled back: Error: it is marked as additive, but /,
    );
    const client = await owner.connect();
    try {
      expect(await catalogueFaults(client)).toEqual([]);
      // Recorded all the same, as the login of the owner could.
      await client.query('begin');
      await client.query(sql);
      const record = JSON.stringify(await readCatalogue(client));
      const forged = `insert into public.migrations (name, sha256, additions) values ('0099_x.sql', '', $1)`;
      await client.query(forged, [record]);
      expect(await catalogueFaults(client)).not.toEqual([]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('a column of a table that a function names', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select distinct 'table public.' || relname as name from pg_class join pg_proc
          on concat(prosrc, pg_get_function_sqlbody(pg_proc.oid)) ~ ('\\m' || relname || '\\M')
        where pronamespace = 'public'::regnamespace and relnamespace = pronamespace and relkind = 'r'`,
    );
    expect(rows.length).toBeGreaterThan(3);
    const more = Object.fromEntries(rows.map(({ name }) => [name, { 'column more': 'integer' }]));
    expect(additionsOf(await readCatalogue(owner), more)).toEqual({});
  });

  it.each([
    'null',
    '7',
    '[null]',
    '{"table public.sessions":null}',
    '{"table public.sessions":{"column more":null}}',
    '{"table public.more":{"column more":{}}}',
  ])('a record of another form: %s', async (record) => {
    const client = await owner.connect();
    try {
      await client.query('begin');
      const forged = `insert into public.migrations (name, sha256, additions) values ('0099_x.sql', '', $1)`;
      await client.query(forged, [record]);
      expect(await catalogueFaults(client)).toEqual([]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it.each(['app', 'projector'] as const)('a record by the role %s', async (role) => {
    const pool = database.pool(role);
    for (const sql of [
      "insert into migrations (name, sha256, additions) values ('0099_x.sql', '', '{}')",
      "update migrations set additions = '{}'",
      'delete from migrations',
    ])
      await expect(pool.query(sql)).rejects.toThrow('permission denied for table migrations');
  });
});

/** Comments, texts and quoted names, the end of a statement. */
const TOKENS = /--[^\n]*|\/\*.*?\*\/|\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'|"(?:[^"]|"")*"|;|./gs;

/** The statements of a file in one line each, without comments and texts. */
function statementsOf(sql: string): readonly string[] {
  const tokens = [...sql.matchAll(TOKENS)].map(([token]) => {
    if (/^(?:--|\/\*)/.test(token)) return ' ';
    if (token === ';') return '\n';
    return /^['$]./.test(token) ? "''" : token.replace(/\s/, ' ').toLowerCase();
  });
  const statements = tokens.join('').split('\n');
  return statements.map((one) => one.replace(/ +/g, ' ').trim()).filter(Boolean);
}

/** Of a table of the same file or of an earlier one; `migrate` compares what they make. */
const ALLOWED = [
  /^create table \w+ \((?!.*\) ?(?:as|inherits|partition)\b)/,
  /^create index (?!concurrently)(\w+ )?on \w+ /,
  /^create function /,
  /^alter table \w+ (?:add column \w+ [\w' ]+(?:\(\d+\))?[\w' ]*(?:, ?|$))+$/,
  /^(?:grant|comment on) /,
  /^revoke execute on function /,
];
const refused = (sql: string) =>
  statementsOf(sql).filter((one) => !ALLOWED.some((allowed) => allowed.test(one)));

test('a migration that is marked as additive has only statements that add', () => {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  const marked = files
    .map((name) => [name, readFileSync(join(MIGRATIONS, name), 'utf8')] as const)
    .filter(([, sql]) => sql.startsWith('-- additive'));
  expect(marked.map(([name, sql]) => [name, refused(sql)])).toEqual(
    marked.map(([name]) => [name, []]),
  );
  expect([NOTES, MORE].flatMap(refused)).toEqual([]);
});

test.each([
  'update sessions set tries = 0',
  'delete from sessions',
  "insert into round_notes (round) values ('a')",
  'truncate sessions',
  'lock table events',
  'do $$ begin delete from events; end $$',
  'select append()',
  "set session_replication_role = 'replica'",
  'with gone as (delete from sessions returning 1) select from gone',
  'create table copied as select * from events',
  'create table copied (n int) inherits (events)',
  'create unique index more on sessions (wallet)',
  'create or replace function append() returns void language sql as $$ select 1; $$',
  'create trigger more after insert on events execute function refuse_change()',
  'alter table sessions drop column wallet',
  'alter table sessions add column remark text, drop column wallet',
  'alter table sessions add column remark text, alter column wallet drop not null',
  'alter function append security invoker',
  'revoke select on events from reelbook_app',
  'commit',
])('only statements that add, not: %s', (sql) => {
  expect(refused(`${NOTES}\n${sql};\n${MORE}`)).toHaveLength(1);
  expect(
    refused(
      `-- a comment; ${sql}\n/* ${sql}; */ comment on table a is '${sql.replaceAll("'", '')};'`,
    ),
  ).toEqual([]);
});
