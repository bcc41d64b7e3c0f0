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

export interface TestNatsCluster {
  /** Of all servers, comma-separated. */
  readonly url: string;
  /** `name` is also the server's name in the cluster. */
  readonly servers: readonly {
    readonly name: string;
    kill(): Promise<void>;
    start(): Promise<void>;
  }[];
  stop(): Promise<void>;
}

/** Whether tests can start servers of their own. */
export const canStartNats = () => spawnSync(PROGRAM, ['--version']).status === 0;

/** Three servers on the loopback, each with a folder of its own. */
export async function startNatsCluster(): Promise<TestNatsCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-nats-'));
  const places: { name: string; port: number; route: string }[] = [];
  for (const name of ['nats-1', 'nats-2', 'nats-3']) {
    const route = `nats://127.0.0.1:${await freePort()}`;
    places.push({ name, port: await freePort(), route });
  }
  const routes = places.map(({ route }) => route).join(',');
  const servers = places.map(({ name, port, route }) => {
    const words = ['-n', name, '--cluster_name', 'test', '--cluster', route, '--routes', routes];
    const launch = () => launchNats(port, join(folder, name), words);
    let current: ReturnType<typeof launch> | null = null;
    return {
      name,
      async kill() {
        await (await current)?.end('SIGKILL');
      },
      async start() {
        current = launch();
        await current;
      },
    };
  });
  // Together: none is ready without a majority.
  await Promise.all(servers.map((server) => server.start()));
  return {
    url: places.map(({ port }) => `nats://127.0.0.1:${port}`).join(),
    servers,
    async stop() {
      await Promise.all(servers.map((server) => server.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launchNats(port: number, folder: string, more: readonly string[] = []) {
  const words = ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', folder, ...more];
  const child = spawn(PROGRAM, words, { stdio: 'ignore' });
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
