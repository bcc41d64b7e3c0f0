/**
 * A private Postgres cluster as a child process. Guarantee: committed data survive a kill of any process at any time.
 * Assumption: one caller at a time for a folder (the standalone holds a lock on it).
 *
 * After a kill during initdb, the incomplete cluster is `cluster.new` and is created again; the final rename is atomic.
 * Postgres outlives a killed caller and writes to its own log file. The next start shuts it down (fast mode) and starts
 * its own, so settings and programs are always those of this build.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../ports.ts';
import { endProcess, isWorkingIn, processesIn } from '../processes.ts';
import { type Account, chooseAccount, type Programs, preparePrograms } from './programs.ts';

export interface EmbeddedPostgres {
  /** For the superuser and the database `postgres`, with the password. */
  readonly url: string;
  /** The account that it runs as; null for the current user. */
  readonly account: string | null;
  readonly logFile: string;
  /** Resolves when Postgres exited, with the end of its log. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

const USER = 'reelbook';
const CONNECTIONS_MAX = 200;
const READY_TIMEOUT_MS = 120_000;
const READY_POLL_MS = 40;
const STOP_FAST_TIMEOUT_MS = 30_000;
const STOP_IMMEDIATE_TIMEOUT_MS = 10_000;
const START_ATTEMPTS_MAX = 20;
const START_RETRY_MS = 500;
const LOG_TAIL_CHARS = 2_000;

interface Place {
  readonly folder: string;
  readonly cluster: string;
  readonly logFile: string;
  readonly account: Account;
  readonly programs: Programs;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts the cluster in `folder` (created if missing) on `port` of the loopback interface, or on a free port.
 * `durable: false` is for tests: faster, but not safe against a power loss.
 */
export async function startEmbeddedPostgres(o: {
  folder: string;
  durable: boolean;
  port?: number;
  /** Added to the environment of the server. */
  env?: Readonly<Record<string, string>>;
  onProgress?(line: string): void;
}): Promise<EmbeddedPostgres> {
  const cluster = join(o.folder, 'cluster');
  const account = chooseAccount(cluster);
  mkdirSync(o.folder, { recursive: true, mode: 0o700 });
  own(o.folder, account);
  const programs = preparePrograms(account);
  const place = {
    folder: o.folder,
    cluster,
    logFile: join(o.folder, 'log'),
    account,
    programs,
    env: o.env ?? {},
  };
  try {
    if (existsSync(cluster)) await endLeftover(place, o.onProgress);
    else create(place, o.onProgress);
    checkVersion(place);
    return await start(place, o.durable, o.port);
  } catch (error) {
    programs.dispose();
    throw error;
  }
}

/**
 * For root: Postgres's account may lack access to the parents of the folder. It starts inside the folder and names it by
 * its own working directory.
 */
function nameInside(place: Place, folder: string): string {
  return place.account ? '/proc/self/cwd' : folder;
}

function own(path: string, account: Account): void {
  if (account) chownSync(path, account.uid, account.gid);
}

function spawnOptions(place: Place, cwd: string) {
  const identity = place.account ? { uid: place.account.uid, gid: place.account.gid } : {};
  return { ...identity, cwd, env: { LC_ALL: 'C', TZ: 'UTC' } };
}

function create(place: Place, onProgress?: (line: string) => void): void {
  onProgress?.('creating a database cluster');
  const fresh = join(place.folder, 'cluster.new');
  const passwordFile = join(place.folder, 'password');
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  own(fresh, place.account);
  writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  own(passwordFile, place.account);
  const inside = nameInside(place, fresh);
  const result = spawnSync(
    place.programs.initdb,
    [
      `--pgdata=${inside}`,
      `--pwfile=${inside}/../password`,
      `--username=${USER}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    { ...spawnOptions(place, fresh), encoding: 'utf8' },
  );
  if (result.status !== 0) {
    throw new Error(
      `initdb failed in ${fresh}${place.account ? ` as ${place.account.name}` : ''}: ` +
        `${result.error?.message ?? ''}${result.stderr}${result.stdout.slice(-LOG_TAIL_CHARS)}`,
    );
  }
  renameSync(fresh, place.cluster);
}

function checkVersion(place: Place): void {
  const found = readFileSync(join(place.cluster, 'PG_VERSION'), 'utf8').trim();
  const run = spawnSync(place.programs.postgres, ['--version'], { cwd: '/', encoding: 'utf8' });
  const ours = /(\d+)\./.exec(run.stdout)?.[1];
  if (found !== ours) {
    throw new Error(
      `The data in ${place.cluster} are of Postgres ${found}; this build has Postgres ${ours}: ` +
        'export them with the older build, or set another DATA_DIR.',
    );
  }
}

/** Ends what a killed process left of a Postgres of this cluster, and removes a stale lock file. */
async function endLeftover(place: Place, onProgress?: (line: string) => void): Promise<void> {
  const pidFile = join(place.cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  if (!isWorkingIn(pid, place.cluster)) {
    // Stale, or the id now belongs to another program, which Postgres would mistake for a running server.
    rmSync(pidFile, { force: true });
    return endOrphans(place);
  }
  onProgress?.(`ending the Postgres that an earlier run left (process ${pid})`);
  const ended = await endProcess(pid, [
    ['SIGINT', STOP_FAST_TIMEOUT_MS],
    ['SIGQUIT', STOP_IMMEDIATE_TIMEOUT_MS],
  ]);
  if (ended) return;
  throw new Error(
    `The Postgres of an earlier run (process ${pid}) does not exit; end it and start again.`,
  );
}

/**
 * Ends the server processes of a killed postmaster. They exit by themselves only after their current statement, and a new
 * postmaster does not start while one of them has the shared memory. SIGQUIT is what a postmaster sends after a crash.
 */
async function endOrphans(place: Place): Promise<void> {
  const orphans = processesIn(place.cluster, 'postgres').map((pid) =>
    endProcess(pid, [
      ['SIGQUIT', STOP_IMMEDIATE_TIMEOUT_MS],
      ['SIGKILL', STOP_IMMEDIATE_TIMEOUT_MS],
    ]),
  );
  await Promise.all(orphans);
}

async function start(
  place: Place,
  durable: boolean,
  wanted: number | undefined,
): Promise<EmbeddedPostgres> {
  for (let attempt = 1; ; attempt += 1) {
    const port = wanted ?? (await freePort());
    const child = launch(place, port, durable);
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    const url = urlOf(place, port);
    const ready = await Promise.race([waitUntilReady(url, exited), exited.then(() => false)]);
    if (ready) return running(place, child, exited, url);
    const tail = tailOf(place.logFile);
    // The children of a killed server exit after a short delay; another process may have taken the port.
    const isTemporary = /shared memory block|could not bind|Address already in use/.test(tail);
    if (!isTemporary || attempt >= START_ATTEMPTS_MAX) {
      throw new Error(`Postgres did not start; its log ${place.logFile} ends:\n${tail}`);
    }
    await sleep(START_RETRY_MS);
  }
}

function launch(place: Place, port: number, durable: boolean): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    // Several test files share a cluster that is not durable.
    `max_connections=${durable ? CONNECTIONS_MAX : 2 * CONNECTIONS_MAX}`,
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  // A file, not a pipe: Postgres must be able to outlive this process.
  const log = openSync(place.logFile, 'w', 0o600);
  const options = spawnOptions(place, place.cluster);
  const child = spawn(
    place.programs.postgres,
    [
      '-D',
      nameInside(place, place.cluster),
      '-p',
      String(port),
      ...settings.flatMap((s) => ['-c', s]),
    ],
    // Detached, so that Ctrl-C in the terminal reaches only this process, which closes its parts in order.
    {
      ...options,
      env: { ...options.env, ...place.env },
      detached: true,
      stdio: ['ignore', 'ignore', log],
    },
  );
  closeSync(log);
  // A signal may end this process before Postgres is ready.
  const stopAtExit = () => void child.kill('SIGINT');
  process.once('exit', stopAtExit);
  child.once('exit', () => process.removeListener('exit', stopAtExit));
  return child;
}

function running(
  place: Place,
  child: ChildProcess,
  exited: Promise<void>,
  url: string,
): EmbeddedPostgres {
  const cleaned = exited.then(() => place.programs.dispose());
  return {
    url,
    account: place.account?.name ?? null,
    logFile: place.logFile,
    ended: cleaned.then(() => tailOf(place.logFile)),
    async close() {
      child.kill('SIGINT');
      const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_FAST_TIMEOUT_MS);
      await cleaned;
      clearTimeout(timer);
    },
  };
}

function urlOf(place: Place, port: number): string {
  const passwordFile = join(place.folder, 'password');
  chmodSync(passwordFile, 0o600);
  return `postgres://${USER}:${readFileSync(passwordFile, 'utf8').trim()}@127.0.0.1:${port}/postgres`;
}

/** @returns whether it accepts connections; false if it exited or the timeout passed. */
async function waitUntilReady(url: string, exited: Promise<void>): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  while (!gone && Date.now() < deadline) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch {
      await sleep(READY_POLL_MS);
    } finally {
      await client.end().catch(() => {});
    }
  }
  return false;
}

function tailOf(file: string): string {
  return readFileSync(file, 'utf8').slice(-LOG_TAIL_CHARS);
}
