/** `npm start` or its child processes killed during play: it continues, and the ledger has every acknowledged round. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { assert } from '@reelbook/ledger/assert';
import { freePort } from '@reelbook/runtime/ports';
import { endProcess, isAlive, processesIn } from '@reelbook/runtime/processes';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { programPath } from '@reelbook/runtime/settings';
import { Player } from '@reelbook/simulator/client/player';
import { playMore } from '@reelbook/simulator/runs/play-through';
import { readCommands } from '@reelbook/simulator/verdict/ledger';
import { judge } from '@reelbook/simulator/verdict/spins';
import { WAIT } from '@reelbook/testing/wait';
import { afterEach, beforeEach, expect, test } from 'vitest';

const READY_TIMEOUT_MS = 120_000;
const TEST_TIMEOUT_MS = 600_000;
const PLAYERS = 4;

let box = '';
let environment: Record<string, string> = {};
let origin = '';
let statusUrl = '';
let output = '';
const starts: ChildProcess[] = [];

beforeEach(async () => {
  box = mkdtempSync(join(tmpdir(), 'reelbook-killed-'));
  const [port, statusPort] = [await freePort(), await freePort()];
  statusUrl = `http://127.0.0.1:${statusPort}`;
  origin = `http://127.0.0.1:${port}`;
  environment = {
    PATH: [dirname(process.execPath), ...programPath()].join(':'),
    HOME: join(box, 'home'),
    DATA_DIR: join(box, 'data'),
    PORT: String(port),
    ADMIN_PORT: '0',
    STATUS_PORT: String(statusPort),
  };
});
afterEach(async () => {
  for (const child of starts.splice(0)) killGroup(child, 'SIGTERM');
  const pid = serverOf(join(box, 'data'));
  if (pid) {
    await endProcess(pid, [
      ['SIGTERM', WAIT.timeout],
      ['SIGKILL', WAIT.timeout],
    ]);
  }
  rmSync(box, { recursive: true, force: true });
});

/** The process that holds the data folder. */
function serverOf(dataDir: string): number | null {
  const lock = join(dataDir, 'lock');
  if (!existsSync(lock)) return null;
  return (JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }).pid;
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid ?? 0), signal);
  } catch {
    // Exited.
  }
}

/** `npm start` in its own process group, as a shell starts it. */
async function npmStart(): Promise<ChildProcess> {
  const child = spawn('npm', ['start'], {
    cwd: REPOSITORY,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  starts.push(child);
  output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      child.emit('output');
    });
  }
  const deadline = AbortSignal.timeout(READY_TIMEOUT_MS);
  while (!output.includes('Reelbook is running')) {
    if (child.exitCode !== null) throw new Error(`it ended: ${output}`);
    await Promise.race([once(child, 'output', { signal: deadline }), once(child, 'exit')]);
  }
  return child;
}

/** Plays through `act` until every request has a response. */
async function playThrough(
  act: (running: ChildProcess, players: readonly Player[]) => Promise<unknown>,
): Promise<Player[]> {
  const running = await npmStart();
  const giveUp = AbortSignal.timeout(TEST_TIMEOUT_MS);
  const players = Array.from(
    { length: PLAYERS },
    (_, seed) => new Player({ origins: [origin], seed, giveUp }),
  );
  const stop = new AbortController();
  const playing = Promise.all(players.map((one) => one.play(stop.signal)));
  await playMore(players);
  await act(running, players);
  await playMore(players);
  stop.abort();
  await playing;
  for (const player of players) player.leave();
  return players;
}

async function expectSound(players: readonly Player[]): Promise<void> {
  const url = readFileSync(join(box, 'data/database-url'), 'utf8');
  const pool = openPool({ url, role: 'app', max: 2, name: 'killed' });
  const commands = await readCommands(pool);
  await pool.end();
  const journals = players.map(({ journal }) => journal);
  expect(judge(commands.values(), journals).faults).toEqual([]);
  expect(journals.flatMap(({ faults }) => faults)).toEqual([]);
  const audit = spawnSync('npm', ['run', '--silent', 'reelbook', '--', 'audit'], {
    cwd: REPOSITORY,
    env: environment,
    encoding: 'utf8',
  });
  expect(audit.stdout).toContain('CLEAN     operator audit');
  expect(audit.status).toBe(0);
}

test(
  'kill -9 of all that the terminal started',
  async () => {
    const players = await playThrough(async (running) => {
      killGroup(running, 'SIGKILL');
      await once(running, 'exit');
      await npmStart();
    });
    await expectSound(players);
  },
  TEST_TIMEOUT_MS,
);

test(
  'kill -9 of npm alone: the orphaned server closes in order',
  async () => {
    const players = await playThrough(async (running) => {
      running.kill('SIGKILL');
      await once(running, 'exit');
      await npmStart();
    });
    await expectSound(players);
  },
  TEST_TIMEOUT_MS,
);

const cluster = () => join(box, 'data/postgres/cluster');
const postmaster = () =>
  Number.parseInt(readFileSync(join(cluster(), 'postmaster.pid'), 'utf8'), 10);

/** A process that serves a connection. */
async function backend(): Promise<number> {
  const url = readFileSync(join(box, 'data/database-url'), 'utf8');
  const pool = openPool({ url, role: 'owner', max: 1, name: 'find' });
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'reelbook-gateway' limit 1`,
  );
  await pool.end();
  assert(rows[0], 'the gateway has a connection');
  return rows[0].pid;
}

/** Closes in order, and leaves no child. */
async function interrupt(running: ChildProcess): Promise<void> {
  const server = serverOf(join(box, 'data')) ?? 0;
  const exited = once(running, 'exit');
  process.kill(server, 'SIGINT');
  await exited;
  expect(isAlive(server)).toBe(false);
  // Postgres may need longer than its parent waits.
  await expect.poll(() => processesIn(cluster(), 'postgres')).toEqual([]);
}

test(
  'kill -9 of Postgres and of one of its processes: it is started again',
  async () => {
    let started: ChildProcess | undefined;
    const players = await playThrough(async (running, all) => {
      started = running;
      const server = serverOf(join(box, 'data'));
      for (const find of [postmaster, backend]) {
        process.kill(await find(), 'SIGKILL');
        await playMore(all);
      }
      expect(serverOf(join(box, 'data'))).toBe(server);
    });
    const ready = async () => (await fetch(`${statusUrl}/ready`)).json();
    await expect.poll(ready, WAIT).toMatchObject({
      status: 'ok',
      checks: { ledger: null, bus: null, publishing: null, projections: null, rounds: null },
    });
    await expectSound(players);
    if (started) await interrupt(started);
  },
  TEST_TIMEOUT_MS,
);

test(
  'Ctrl-C while Postgres is started again leaves no process',
  async () => {
    const running = await npmStart();
    process.kill(postmaster(), 'SIGKILL');
    await expect.poll(() => output, WAIT).toContain('starting it again');
    await interrupt(running);
  },
  TEST_TIMEOUT_MS,
);

test(
  'Postgres that cannot be started again: calls are refused, then the process ends with its reason',
  async () => {
    const running = await npmStart();
    const exited = once(running, 'exit');
    writeFileSync(join(cluster(), 'PG_VERSION'), '1\n');
    process.kill(postmaster(), 'SIGKILL');
    await expect.poll(() => output, WAIT).toContain('Postgres cannot be started again');
    // Together: it ends after some more tries.
    const [health, ready] = await Promise.all(
      ['health', 'ready'].map((path) => fetch(`${origin}/${path}`)),
    );
    expect([health?.status, ready?.status]).toEqual([503, 503]);
    expect(Number(health?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await exited).toEqual([1, null]);
    expect(output).toContain('times in a row and stays down: The data in');
    expect(processesIn(cluster(), 'postgres')).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);
