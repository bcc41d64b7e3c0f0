import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@reelbook/runtime/ports';
import { readSettings } from '@reelbook/runtime/settings';
import { greets } from './greets.ts';
import { layMesh } from './mesh.ts';
import { WAIT } from './wait.ts';
import { layWire, type Wire } from './wire.ts';

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
    /** Stops its process; `resume` lets it go on. */
    pause(): void;
    resume(): void;
    /** Cuts it off from the other servers and from its clients. */
    cut(): void;
    restore(): Promise<void>;
  }[];
  stop(): Promise<void>;
}

/** Whether tests can start servers of their own. */
export const canStartNats = () => spawnSync(PROGRAM, ['--version']).status === 0;

/** Three servers on the loopback, each with a folder of its own. */
export async function startNatsCluster(): Promise<TestNatsCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-nats-'));
  const names = ['nats-1', 'nats-2', 'nats-3'];
  const running = new Map<string, LaunchedNats>();
  const pidOf = (name: string) => running.get(name)?.pid ?? null;
  const routes = await Promise.all(
    names.map(async (name) => ({ name, port: await freePort(), pid: () => pidOf(name) })),
  );
  const mesh = await layMesh(routes);
  // Also itself: a server expects as many others to vote as it has routes.
  const all = names.map((name) => `nats://${mesh.addressOf(name)}`);
  const clients: Wire[] = [];
  const servers: TestNatsCluster['servers'][number][] = [];
  for (const { name, port: routePort } of routes) {
    const port = await freePort();
    const client = await layWire(`nats://127.0.0.1:${port}`);
    clients.push(client);
    const words = [
      ...['-n', name, '--cluster_name', 'test', '--cluster', `nats://127.0.0.1:${routePort}`],
      ...['--cluster_advertise', mesh.addressOf(name), '--routes', all.join()],
      // Clients keep to the wires.
      '--no_advertise',
    ];
    const signal = (what: NodeJS.Signals) => {
      const pid = pidOf(name);
      if (pid !== null) process.kill(pid, what);
    };
    servers.push({
      name,
      async kill() {
        await running.get(name)?.end('SIGKILL');
        running.delete(name);
      },
      async start() {
        await launchNats(port, join(folder, name), words, (server) => running.set(name, server));
      },
      pause: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
      cut() {
        client.hold();
        mesh.cut(name);
      },
      async restore() {
        await Promise.all([client.restore(), mesh.restore(name)]);
      },
    });
  }
  // Together: none is ready without a majority.
  await Promise.all(servers.map((server) => server.start()));
  return {
    url: clients.map(({ url }) => url).join(),
    servers,
    async stop() {
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all([mesh.close(), ...clients.map((client) => client.cut())]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface LaunchedNats {
  readonly pid: number | null;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Resolves when it serves. `onLaunched` gets the process before that. */
async function launchNats(
  port: number,
  folder: string,
  more: readonly string[] = [],
  onLaunched: (server: LaunchedNats) => void = () => {},
): Promise<LaunchedNats> {
  const words = ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', folder, ...more];
  const child = spawn(PROGRAM, words, { stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const lastWord = () => void child.kill('SIGKILL');
  process.once('exit', lastWord);
  void exited.then(() => process.removeListener('exit', lastWord));
  const server: LaunchedNats = {
    pid: child.pid ?? null,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
  onLaunched(server);
  const deadline = Date.now() + WAIT.timeout;
  while (!(await greets(port, WAIT.timeout))) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
      throw new Error(`${PROGRAM} did not start`);
    await new Promise((resolve) => setTimeout(resolve, WAIT.interval));
  }
  return server;
}
