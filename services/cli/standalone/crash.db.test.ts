/** `npm start` killed during play: the next start continues, and the ledger has every acknowledged round. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { freePort } from '@reelbook/runtime/ports';
import { endProcess } from '@reelbook/runtime/processes';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { programPath } from '@reelbook/runtime/settings';
import { Player } from '@reelbook/simulator/client/player';
import { playMore } from '@reelbook/simulator/runs/play-through';
import { readCommands } from '@reelbook/simulator/verdict/ledger';
import { judge } from '@reelbook/simulator/verdict/spins';
import { afterEach, beforeEach, expect, test } from 'vitest';

const READY_TIMEOUT_MS = 60_000;
const TEST_TIMEOUT_MS = 180_000;
const PLAYERS = 4;

let box = '';
let environment: Record<string, string> = {};
let origin = '';
const starts: ChildProcess[] = [];

beforeEach(async () => {
  box = mkdtempSync(join(tmpdir(), 'reelbook-killed-'));
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  environment = {
    PATH: [dirname(process.execPath), ...programPath()].join(':'),
    HOME: join(box, 'home'),
    DATA_DIR: join(box, 'data'),
    PORT: String(port),
    ADMIN_PORT: '0',
  };
});
afterEach(async () => {
  for (const child of starts.splice(0)) killGroup(child, 'SIGTERM');
  const pid = serverOf(join(box, 'data'));
  if (pid) {
    await endProcess(pid, [
      ['SIGTERM', 20_000],
      ['SIGKILL', 5_000],
    ]);
  }
  rmSync(box, { recursive: true, force: true });
}, READY_TIMEOUT_MS);

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
  let output = '';
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

/** Plays through `kill` and the next start until every request has a response. */
async function playThrough(kill: (running: ChildProcess) => Promise<void>): Promise<Player[]> {
  const running = await npmStart();
  const giveUp = AbortSignal.timeout(TEST_TIMEOUT_MS);
  const players = Array.from(
    { length: PLAYERS },
    (_, seed) => new Player({ origins: [origin], seed, giveUp }),
  );
  const stop = new AbortController();
  const playing = Promise.all(players.map((one) => one.play(stop.signal)));
  await playMore(players);
  await kill(running);
  await npmStart();
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
    });
    await expectSound(players);
  },
  TEST_TIMEOUT_MS,
);
