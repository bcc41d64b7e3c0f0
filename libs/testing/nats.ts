import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@reelbook/runtime/ports';
import { readSettings } from '@reelbook/runtime/settings';
import { greets } from './greets.ts';
import { WAIT } from './wait.ts';

export interface TestNats {
  readonly url: string;
  /**
   * `kill` ends it as kill -9 would; `start` brings it back on the same port with what it had stored, unless `empty`
   * took that away meanwhile. Null for a NATS_URL.
   */
  readonly process: {
    pid(): number | null;
    kill(): Promise<void>;
    empty(): void;
    start(): Promise<void>;
  } | null;
  stop(): Promise<void>;
}

const PROGRAM = 'nats-server';

/** Whether tests can have a real NATS: in a container, one given by NATS_URL, or the program on the PATH. */
export function natsAvailable(): boolean {
  const { natsUrl, testContainers } = readSettings();
  return (
    testContainers === 'yes' || natsUrl !== null || spawnSync(PROGRAM, ['--version']).status === 0
  );
}

/** A private `nats-server` with JetStream on disk, on a free port; with NATS_URL set, that one. */
export async function startNats(): Promise<TestNats> {
  const { natsUrl: given, testContainers } = readSettings();
  if (testContainers === 'yes') return (await import('./containers.ts')).startNatsContainer();
  if (given) return { url: given, process: null, stop: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-nats-'));
  const port = await freePort();
  const launch = () => launchNats(port, folder);
  let current = await launch();
  return {
    url: `nats://127.0.0.1:${port}`,
    process: {
      pid: () => current.pid,
      kill: () => current.end('SIGKILL'),
      empty() {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder);
      },
      async start() {
        current = await launch();
      },
    },
    async stop() {
      await current.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launchNats(port: number, folder: string) {
  const child = spawn(PROGRAM, ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', folder], {
    stdio: 'ignore',
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const lastWord = () => void child.kill('SIGKILL');
  process.once('exit', lastWord);
  void exited.then(() => process.removeListener('exit', lastWord));
  const deadline = Date.now() + WAIT.timeout;
  while (!(await greets(port, WAIT.timeout))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${PROGRAM} did not start`);
    await new Promise((resolve) => setTimeout(resolve, WAIT.interval));
  }
  return {
    pid: child.pid ?? null,
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      await exited;
    },
  };
}
