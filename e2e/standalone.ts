import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { untilCaughtUp } from '@reelbook/testing/caught-up';

const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 25_000;
const POLL_MS = 25;

export interface Standalone {
  readonly url: string;
  readonly dataDir: string;
  /** The operators' console, and the two one-time links into it. */
  readonly console: { readonly url: string; readonly links: readonly string[] };
  /** Resolves when every read model is at the current head of the ledger. */
  caughtUp(): Promise<void>;
  /** Runs one of the project's commands on this standalone's ledger. */
  run(script: string, ...args: string[]): Promise<{ code: number | null; output: string }>;
  /** Stops the program, and starts it on the same port and data. */
  restart(whileStopped: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** `npm start` on a free port with a new data folder: what a new user starts. */
export async function startStandalone(
  settings: Readonly<Record<string, string>> = {},
): Promise<Standalone> {
  const dataDir = await mkdtemp(join(tmpdir(), 'reelbook-e2e-'));
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    ADMIN_PORT: '0',
    DATA_DIR: dataDir,
    ...settings,
  };
  const url = `http://127.0.0.1:${port}`;
  let output = '';
  let child = await start();
  async function start(): Promise<ChildProcess> {
    const started = spawn('npm', ['start'], { cwd: REPOSITORY, env, detached: true });
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (bytes) => {
        output += String(bytes);
      });
    }
    await ready(url, started, () => output);
    return started;
  }
  const links = await waitForOutput(() => output.match(/\S+\/#link=\S+/g));
  return {
    url,
    dataDir,
    console: { url: new URL(links[0] ?? '').origin, links },
    async caughtUp() {
      const database = (await readFile(join(dataDir, 'database-url'), 'utf8')).trim();
      const pool = openPool({ url: database, role: 'app', max: 1, name: 'e2e' });
      await untilCaughtUp(pool).finally(() => pool.end());
    },
    run: (script, ...args) => runScript(env, script, args),
    async restart(whileStopped) {
      await end(child);
      try {
        await whileStopped();
      } finally {
        child = await start();
      }
    },
    async stop() {
      await end(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function ready(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const health = await fetch(`${url}/health`).catch(() => null);
    if (health?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await end(child);
  throw new Error(`the standalone did not become ready:\n${output()}`);
}

/** Console output of the start, complete soon after the site responds. */
async function waitForOutput(find: () => readonly string[] | null): Promise<readonly string[]> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const found = find();
    if (found && found.length > 1) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('the standalone printed no console links');
}

function runScript(env: NodeJS.ProcessEnv, script: string, args: readonly string[]) {
  const child = spawn('npm', ['run', '--silent', 'reelbook', '--', script, ...args], {
    cwd: REPOSITORY,
    env,
  });
  let output = '';
  child.stdout.on('data', (bytes) => {
    output += String(bytes);
  });
  child.stderr.on('data', (bytes) => {
    output += String(bytes);
  });
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, output }));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
