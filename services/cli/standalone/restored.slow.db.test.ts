/** The commands of docs/operations.md, "Backup and restore", with the programs of Debian's PostgreSQL and pgBackRest. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogueFaults } from '@reelbook/event-store/catalogue';
import { openPool, type Role } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { integrityFault } from '@reelbook/event-store/integrity';
import { migrate } from '@reelbook/event-store/migrate';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { projections } from '@reelbook/projections/all';
import { freePort } from '@reelbook/runtime/ports';
import { chooseAccount } from '@reelbook/runtime/postgres/programs';
import { createPlayers } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { read } from '@reelbook/testing/repository';
import { runInProcess } from '@reelbook/testing/run-program';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reelbook } from '../program.ts';

const DEBIAN = '/usr/lib/postgresql';
const [PROGRAMS] = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
  .sort((a, b) => Number(b) - Number(a))
  .map((version) => join(DEBIAN, version, 'bin'))
  .filter((programs) => existsSync(join(programs, 'initdb')));
const PGBACKREST = existsSync('/usr/bin/pgbackrest');
const KEY = 'ab'.repeat(32);

/** The code blocks of the page in their order. */
function documented(language: 'bash' | 'ini'): readonly string[] {
  const [, section = ''] =
    /\n## Backup and restore\n([\s\S]*?)\n## /.exec(read('docs/operations.md')) ?? [];
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );
}

const [BACKUP = '', RESTORE = '', BASE = '', RECOVER = ''] = documented('bash');
const [ARCHIVING = ''] = documented('ini');

let folder = '';
let port = 0;
const pools = new Map<Role, pg.Pool>();
let stopPlaying = async () => {};
let play: (rounds: number) => Promise<string>;
const started: string[] = [];
const account = chooseAccount(join(tmpdir(), 'none'));

/** What differs from docker/pgbackrest.conf here. */
const BACK_REST = () => ({
  PGBACKREST_CONFIG: `${folder}/pgbackrest.conf`,
  PGBACKREST_REPO1_PATH: `${folder}/backups`,
  PGBACKREST_LOCK_PATH: `${folder}/backups`,
  PGBACKREST_LOG_LEVEL_FILE: 'off',
  PGBACKREST_PG1_PATH: `${folder}/site`,
  PGBACKREST_PG1_SOCKET_PATH: folder,
  PGBACKREST_PG1_PORT: String(port),
  PGBACKREST_PG1_USER: 'reelbook',
});

/** Runs commands of the page; its folder is one of this test. */
function run(commands: string, environment: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-euc', commands.replaceAll('/backups', `${folder}/backups`)],
    {
      cwd: folder,
      encoding: 'utf8',
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
      env: {
        PATH: `${PROGRAMS}:${process.env.PATH}`,
        PGHOST: '127.0.0.1',
        PGPORT: String(port),
        PGUSER: 'reelbook',
        ...BACK_REST(),
        ...environment,
      },
    },
  );
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

async function begin(name: string, archiving = ''): Promise<void> {
  port = await freePort();
  const place = join(folder, name);
  run(`initdb --pgdata=${place} --username=reelbook --auth=trust --locale=C --encoding=UTF8`);
  appendFileSync(
    join(place, 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\n${archiving}`,
  );
  started.push(place);
  run(`pg_ctl --pgdata=${place} --log=${place}.log --wait start`);
}

function end(name: string): void {
  const place = join(folder, name);
  run(`pg_ctl --pgdata=${place} --mode=fast --wait stop`);
  started.splice(started.indexOf(place), 1);
}

const urlOf = () => `postgresql://reelbook@127.0.0.1:${port}/reelbook`;

/** Of the current server, one for each role. */
function pool(role: Role): pg.Pool {
  const known = pools.get(role);
  const opened = known ?? openPool({ url: urlOf(), role, max: 4, name: 'test' });
  pools.set(role, opened);
  return opened;
}

async function closePools(): Promise<void> {
  const all = [...pools.values()];
  pools.clear();
  await Promise.all(all.map((one) => one.end()));
}

/** A ledger with rounds that the audit draws again, and with every read model. */
async function startPlaying(): Promise<(rounds: number) => Promise<string>> {
  const app = openPool({ url: urlOf(), role: 'app', max: 4, name: 'test' });
  const vault = openSeedVault({ pool: app, key: Buffer.from(KEY, 'hex'), keyId: 'test' });
  const executor = startExecutor({ pool: app });
  const players = createPlayers({ executor, vault });
  await players.configure();
  const wallet = await players.register();
  stopPlaying = async () => {
    await executor.close();
    await app.end();
  };
  return async (rounds) => {
    for (let n = 0; n < rounds; n++) await players.spin(wallet, 10);
    return (await readHead(app)).hash;
  };
}

/** What a restored ledger must be: the same head, the catalogue of the migrations, every check of the audit. */
async function expectRestored(hash: string): Promise<void> {
  const app = pool('app');
  expect((await readHead(app)).hash).toBe(hash);
  expect(await catalogueFaults(app)).toEqual([]);
  expect(await integrityFault(app)).toBeNull();
  await expect(app.query('update events set type = type')).rejects.toThrow('permission denied');
  await closePools();
  const environment = { DATABASE_URL: urlOf(), SEED_KEY: KEY, SEED_KEY_ID: 'test' };
  const { code, output } = await runInProcess(reelbook, ['restored'], environment);
  expect(output).toContain(hash);
  expect(output).toContain('CLEAN');
  expect(code).toBe(0);
}

describe.runIf(PROGRAMS)('backup and restore', () => {
  let first = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reelbook-restored-'));
    chmodSync(folder, 0o777);
    writeFileSync(join(folder, 'pgbackrest.conf'), read('docker/pgbackrest.conf'));
    run('mkdir -p /backups');
    await begin('site', PGBACKREST ? ARCHIVING : '');
    run('createdb reelbook');
    const owner = pool('owner');
    await migrate(owner);
    await owner.query("create role site login password 'secret'; grant reelbook_app to site");
    play = await startPlaying();
    first = await play(20);
    const events = await readLog(pool('app'), { from: 1, limit: 1_000 });
    for (const projection of projections) {
      const projecting = await startProjecting({ pool }, projection);
      await projecting.applyInBatches(events, 100);
    }
    await closePools();
  });
  afterAll(async () => {
    await stopPlaying();
    await closePools();
    for (const place of [...started]) run(`pg_ctl --pgdata=${place} --mode=immediate --wait stop`);
    rmSync(folder, { recursive: true, force: true });
  });

  test('a dump is restored on another server, with roles, grants and without sessions', async () => {
    run(BACKUP);
    const sitePort = port;
    await begin('other');
    run(RESTORE);
    await expectRestored(first);
    const owner = pool('owner');
    const { rows } = await owner.query(`select count(*)::int as sessions,
      pg_has_role('site', 'reelbook_app', 'member') as member from sessions`);
    expect(rows).toEqual([{ sessions: 0, member: true }]);
    await closePools();
    expect(() => run(RESTORE)).toThrow('already exists');
    appendFileSync(join(folder, 'backups/ledger.dump'), 'x');
    expect(() => run(RESTORE)).toThrow('did NOT match');
    end('other');
    port = sitePort;
  });

  test.runIf(PGBACKREST)('pgBackRest restores a lost server to a point in time', async () => {
    run(BASE);
    // A backup serves moments in later seconds than its end.
    const second = () => run('psql --command="select date_trunc(\'second\', now())" reelbook');
    const ended = second();
    await expect.poll(second).not.toBe(ended);
    const later = await play(20);
    expect(later).not.toBe(first);
    const time = run('psql --no-align --tuples-only --command="select clock_timestamp()" reelbook');
    expect(await play(20)).not.toBe(later);
    await stopPlaying();
    stopPlaying = async () => {};
    end('site');
    const place = join(folder, 'site');
    rmSync(place, { recursive: true });
    run(`mkdir --mode=700 ${place}`);
    started.push(place);
    run(RECOVER, { PGDATA: place, TIME: time.trim() });
    await expectRestored(later);
  });
});
if (!PROGRAMS || !PGBACKREST)
  console.warn('SKIPPED: backup and restore. Install the packages postgresql and pgbackrest.');
