import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@reelbook/runtime/ports';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { programPath } from '@reelbook/runtime/settings';

const run = promisify(execFile);
const OUTPUT_MAX_BYTES = 256 * 1024 * 1024;
const GATEWAY_PORTS = 10;
const ASK_METRICS = String.raw`exec 3<>/dev/tcp/127.0.0.1/9090 && printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3 && cat <&3`;

/** One container of a service. */
export interface Container {
  readonly id: string;
  /** What a process inside calls its machine: the start of the name under which it holds leases. */
  readonly hostname: string;
  readonly running: boolean;
  /** Of its health check; null where it has none. */
  readonly health: string | null;
  /** Unexpected restarts. */
  readonly restarts: number;
}

/** The compose file of the repository as one project of its own. */
export interface Compose {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly rpcUrl: string;
  readonly faucetUrl: string;
  /** Settings of its .env. */
  readonly settings: Readonly<Record<string, string>>;
  up(scale: Readonly<Record<string, number>>): Promise<void>;
  containers(service: string): Promise<readonly Container[]>;
  /** Where a gateway is reached from here; another port after each start. */
  originOf(id: string): Promise<string>;
  act(verb: 'kill' | 'start' | 'pause' | 'unpause', id: string): Promise<void>;
  /** Takes a container off the network of all others, and puts it back. */
  cut(id: string): Promise<void>;
  join(id: string, service: string): Promise<void>;
  /** Runs one of the commands of an operator. @returns whether it succeeded, and its output. */
  command(service: string): Promise<{ readonly ok: boolean; readonly output: string }>;
  logs(id: string): Promise<string>;
  /** The response of its status port, requested from inside: the port is not published. */
  metrics(id: string): Promise<string>;
  down(): Promise<void>;
}

async function docker(...words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run('docker', words, { maxBuffer: OUTPUT_MAX_BYTES });
  return words[0] === 'logs' ? stdout + stderr : stdout.trim();
}

/** Whether an engine answers, and how compose is called here; the reason when it cannot be used. */
export async function findEngine(): Promise<{ version: string; compose: readonly string[] }> {
  const version = await docker('version', '--format', '{{.Server.Version}}').catch(() => null);
  if (version === null) throw new Error('no Docker engine answers');
  const works = (compose: readonly string[]) => {
    const [program = '', ...words] = compose;
    return run(program, [...words, 'version']).then(
      () => true,
      () => false,
    );
  };
  for (const compose of [['docker', 'compose'], ['docker-compose']]) {
    if (await works(compose)) return { version, compose };
  }
  throw new Error('neither "docker compose" nor docker-compose is here');
}

/** `folder` holds secrets/ and .env, as `npm run reelbook -- keys` makes them. Nothing is started yet. */
export async function openCompose(o: {
  readonly project: string;
  readonly folder: string;
  readonly natsConf: string;
  readonly compose: readonly string[];
}): Promise<Compose> {
  const ports = await Promise.all(Array.from({ length: 5 }, freePort));
  const [postgres, nats, rpc, faucet, gateways = 0] = ports;
  const settings = readEnv(join(o.folder, '.env'));
  const environment = {
    ...settings,
    PATH: programPath().join(':'),
    SECRETS: join(o.folder, 'secrets'),
    NATS_CONF: o.natsConf,
    GATEWAY_PORTS: `${gateways}-${gateways + GATEWAY_PORTS - 1}`,
    CHAIN_PORT: String(rpc),
    FAUCET_PORT: String(faucet),
    TRIAL_POSTGRES_PORT: String(postgres),
    TRIAL_NATS_PORT: String(nats),
  };
  const [program = '', ...words] = o.compose;
  const files = ['docker-compose.yml', 'simulator/stages/ports.yml'];
  const head = [...words, '-p', o.project, ...files.flatMap((file) => ['-f', file])];
  const compose = (...rest: readonly string[]) =>
    run(program, [...head, ...rest], {
      cwd: REPOSITORY,
      env: environment,
      maxBuffer: OUTPUT_MAX_BYTES,
    });
  const network = `${o.project}_default`;
  return {
    databaseUrl: `postgres://reelbook:${settings.POSTGRES_PASSWORD}@127.0.0.1:${postgres}/reelbook`,
    natsUrl: `nats://reelbook:${settings.NATS_PASSWORD}@127.0.0.1:${nats}`,
    rpcUrl: `http://127.0.0.1:${rpc}`,
    faucetUrl: `http://127.0.0.1:${faucet}/faucet`,
    settings,
    async up(scale) {
      const counts = Object.entries(scale).flatMap(([name, n]) => ['--scale', `${name}=${n}`]);
      await compose('up', '--detach', '--no-build', ...counts);
    },
    containers: (service) => listContainers(o.project, service),
    async originOf(id) {
      const [first = ''] = (await docker('port', id, '8080/tcp')).split('\n');
      return `http://${first}`;
    },
    act: async (verb, id) => void (await docker(verb, id)),
    cut: async (id) => void (await docker('network', 'disconnect', network, id)),
    join: async (id, service) =>
      void (await docker('network', 'connect', '--alias', service, network, id)),
    async command(service) {
      const done = await compose('run', '--rm', '--no-deps', service).then(
        ({ stdout }) => ({ ok: true, output: stdout }),
        (error: { stdout?: string; stderr?: string }) => ({
          ok: false,
          output: `${error.stdout ?? ''}${error.stderr ?? ''}`,
        }),
      );
      return { ...done, output: done.output.trim() };
    },
    logs: (id) => docker('logs', id),
    metrics: (id) => docker('exec', id, 'bash', '-c', ASK_METRICS),
    down: async () => void (await compose('down', '--volumes', '--timeout', '30')),
  };
}

async function listContainers(project: string, service: string): Promise<readonly Container[]> {
  const labels = { project, service, oneoff: 'False' };
  const filters = Object.entries(labels).flatMap(([name, value]) => [
    '--filter',
    `label=com.docker.compose.${name}=${value}`,
  ]);
  const ids = (await docker('ps', '--all', '--quiet', ...filters)).split('\n').filter(Boolean);
  if (ids.length === 0) return [];
  const seen = JSON.parse(await docker('inspect', ...ids)) as readonly {
    Id: string;
    RestartCount: number;
    Config: { Hostname: string; Labels: Record<string, string> };
    State: { Running: boolean; Health?: { Status: string } };
  }[];
  const numberOf = (one: (typeof seen)[number]) =>
    Number(one.Config.Labels['com.docker.compose.container-number']);
  return [...seen]
    .sort((a, b) => numberOf(a) - numberOf(b))
    .map(({ Id: id, Config, State, RestartCount: restarts }) => ({
      ...{ id, hostname: Config.Hostname, running: State.Running, restarts },
      health: State.Health?.Status ?? null,
    }));
}

function readEnv(file: string): Readonly<Record<string, string>> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/**
 * The settings of NATS as the server at hand takes them: one older than 2.12 refuses `sync_interval: always`.
 * @returns the file to mount, and what had to be left out.
 */
export async function fitNatsConf(
  folder: string,
): Promise<{ readonly file: string; readonly version: string; readonly skipped: string | null }> {
  const own = join(REPOSITORY, 'docker/nats.conf');
  const image = 'nats:2.12';
  const version = await docker('run', '--rm', image, '--version');
  const takes = (file: string) => {
    const given = ['-e', 'NATS_PASSWORD=x', '-v', `${file}:/nats.conf:ro`];
    return docker('run', '--rm', ...given, image, '-t', '-c', '/nats.conf').then(
      () => true,
      () => false,
    );
  };
  if (await takes(own)) return { file: own, version, skipped: null };
  const without = readFileSync(own, 'utf8').replace(/^ *sync_interval:.*\n/m, '');
  const file = join(folder, 'nats.conf');
  writeFileSync(file, without, { mode: 0o644 });
  if (!(await takes(file))) throw new Error(`${version} refuses docker/nats.conf`);
  return { file, version, skipped: 'sync_interval: always' };
}
