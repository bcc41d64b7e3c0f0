import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@reelbook/runtime/ports';
import { REPOSITORY } from '@reelbook/runtime/repository';

const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 25;

/** Where a running standalone is: text, because the test process gets it from the process that started the site. */
export interface Place {
  readonly url: string;
  readonly consoleUrl: string;
  readonly dataDir: string;
  /** The environment that it was started with, without that of the tests. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Standalone extends Place {
  /** The two one-time links into the operators' console that its start printed. */
  readonly links: readonly string[];
  /** Stops the program, and starts it on the same port and data. SIGKILL leaves its Postgres running. */
  restart(whileStopped: () => Promise<void>, signal?: 'SIGKILL'): Promise<void>;
  /** Its processes do not run meanwhile. */
  paused(whilePaused: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Ends the process group whose id it read last, and removes the folder, as soon as its input ends: also when the
 * process of the tests was killed.
 */
const WATCH = `while read -r id; do site=$id; done; kill -s TERM -- "-$site"
  while kill -s 0 -- "-$site"; do sleep 0.1; done; rm -rf "$1"`;

/** `npm start` on a free port with a new data folder: what a new user starts. */
export async function startStandalone(
  settings: Readonly<Record<string, string>> = {},
): Promise<Standalone> {
  const dataDir = await mkdtemp(join(tmpdir(), 'reelbook-e2e-'));
  const port = await freePort();
  const env = { PORT: String(port), ADMIN_PORT: '0', DATA_DIR: dataDir, ...settings };
  const url = `http://127.0.0.1:${port}`;
  const watch = spawn('sh', ['-c', WATCH, 'sh', dataDir], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  let output = '';
  let child = await start();
  async function start(): Promise<ChildProcess> {
    const started = spawn('npm', ['start'], {
      cwd: REPOSITORY,
      env: { ...process.env, ...env },
      detached: true,
    });
    watch.stdin.write(`${started.pid}\n`);
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
    consoleUrl: new URL(links[0] ?? '').origin,
    dataDir,
    env,
    links,
    async restart(whileStopped, signal) {
      await end(child, signal);
      try {
        await whileStopped();
      } finally {
        child = await start();
      }
    },
    async paused(whilePaused) {
      const group = -Number(child.pid);
      process.kill(group, 'SIGSTOP');
      await whilePaused().finally(() => process.kill(group, 'SIGCONT'));
    },
    async stop() {
      await end(child);
      await rm(dataDir, { recursive: true, force: true });
      watch.stdin.end();
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

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  process.kill(-child.pid, signal);
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}
