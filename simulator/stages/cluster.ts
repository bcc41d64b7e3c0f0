/**
 * A replicated Postgres as an operator runs it, on one machine: three nodes under Patroni and three etcd, of Debian's packages,
 * with the file of `docker/cluster`. Everything between the nodes and to them goes through wires that can be held.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '@reelbook/event-store/db';
import { migrateAll } from '@reelbook/projections/all';
import { freePort } from '@reelbook/runtime/ports';
import { chooseAccount } from '@reelbook/runtime/postgres/programs';
import { isAlive, processesIn } from '@reelbook/runtime/processes';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { programPath } from '@reelbook/runtime/settings';
import { layWire, type Wire } from '@reelbook/testing/wire';

const NODES = [1, 2, 3] as const;
const POSTGRES_BIN = '/usr/lib/postgresql/15/bin';
const FILES = join(REPOSITORY, 'docker/cluster');
const SOCKETS = '/var/run/postgresql';
const READY_TIMEOUT_MS = 180_000;
const LOOK_EVERY_MS = 100;
const RESPONSE_TIMEOUT_MS = 2_000;
const SUPERUSER = 'postgres';
/** The login of the services, and its database. */
const LOGIN = 'reelbook';
const LOGIN_FILE = 'login.sql';

/** A Postgres with its Patroni. */
export interface ClusterNode {
  readonly name: string;
  /** Of this server past the wires, for the superuser and the database of `LOGIN`. */
  readonly url: string;
  /** Has the socket, and the data in the folder `data`. */
  readonly folder: string;
  /** Runs `patronictl` with these words. @returns its output. */
  control(words: readonly string[], input?: string): Promise<string>;
  /** Ends Postgres as kill -9 does. Patroni goes on. */
  crash(): void;
  /** Ends Postgres and Patroni as the loss of a machine does. */
  lose(): Promise<void>;
  /** Starts Patroni after `lose`. */
  start(): void;
  /** Gives the lead to the synchronous standby. */
  switchOver(): Promise<void>;
  /** Stops all of its processes, as a paused virtual machine; `resume` lets them go on. */
  pause(): void;
  /** Stops Patroni alone, whose Postgres goes on; `resume` lets it go on. */
  pausePatroni(): void;
  resume(): void;
  /** Cuts it off from the other nodes, from etcd and from the services. */
  cut(): void;
  restore(): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly clientPort: number;
  kill(): Promise<void>;
  start(): void;
  /** Stops its process; `resume` lets it go on. */
  pause(): void;
  resume(): void;
  /** Cuts it off from Patroni; the members go on to reach each other, which must not wait for a busy process of tests. */
  cut(): void;
  restore(): Promise<void>;
}

interface WiredMember extends Member {
  /** Leads to its port for clients. */
  readonly patroniPort: number;
  close(): Promise<void>;
}

export interface Cluster {
  /** Of all nodes, through the wires, for `LOGIN`. */
  readonly url: string;
  readonly nodes: readonly ClusterNode[];
  /** Waits for a node that has the leader's lock, other than `not`. */
  untilLed(not?: ClusterNode): Promise<ClusterNode>;
  /** Waits until all nodes but `not` run, on one timeline, and one standby is synchronous. @returns the leader. */
  untilComplete(not?: ClusterNode): Promise<ClusterNode>;
  etcdLeader(): Promise<Member>;
  /** Switches strict synchronous mode on or off. Resolves when the leader has it so. */
  synchronize(on: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** The programs that this machine lacks; empty if a cluster can be started here. */
export function missingPrograms(): readonly string[] {
  const programs = ['etcd', 'patroni', join(POSTGRES_BIN, 'postgres')];
  return programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
}

/** What the nodes have more: lines of postgresql.conf, and environment. */
interface Extra {
  readonly settings: string;
  environment(node: Pick<ClusterNode, 'folder' | 'url'>): Readonly<Record<string, string>>;
}

export async function startCluster(
  folder: string,
  extra: Extra = { settings: '', environment: () => ({}) },
): Promise<Cluster> {
  const tools = openFolder(folder);
  const members = await startEtcd(tools);
  const newPassword = () => randomBytes(16).toString('hex');
  const [superuser, login] = [newPassword(), newPassword()];
  const nodes: RunningNode[] = [];
  for (const number of NODES)
    nodes.push(await startNode(number, { members, superuser, login, extra, ...tools }));
  const hosts = nodes.map(({ address }) => address).join(',');
  const cluster: Cluster = {
    url: `postgres://${LOGIN}:${login}@${hosts}/${LOGIN}?target_session_attrs=read-write`,
    nodes,
    untilLed: (not) => until('a leader', () => findLeader(nodes, not)),
    untilComplete: (not) =>
      until('a complete cluster', () => findComplete(nodes.filter((one) => one !== not))),
    etcdLeader: () => until('a leader of etcd', () => findEtcdLeader(members)),
    async synchronize(on) {
      const leader = await until('a leader', () => findLeader(nodes));
      await until('a changed configuration', () =>
        fetchJson(`${leader.api}/config`, JSON.stringify({ synchronous_mode: on }), 'PATCH'),
      );
      const pool = openPool({ url: leader.url, role: 'owner', max: 1, name: 'mode' });
      await until('another mode', async () => {
        const { rows } = await pool.query('show synchronous_standby_names');
        return (rows[0].synchronous_standby_names !== '') === on || null;
      });
      await pool.end();
    },
    async stop() {
      for (const node of nodes) node.resume();
      await Promise.all(nodes.map((node) => node.lose()));
      await Promise.all(members.map((member) => member.kill()));
      await Promise.all([...nodes, ...members].map((one) => one.close()));
    },
  };
  try {
    await cluster.untilComplete();
    const owner = openPool({ url: cluster.url, role: 'owner', max: 1, name: 'migrate' });
    await migrateAll(owner);
    await owner.end();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

interface Tools {
  run(name: string, command: readonly [string, ...string[]], env: NodeJS.ProcessEnv): void;
  end(name: string): Promise<void>;
  /** A folder of that name, for the account of Postgres. */
  place(name: string): string;
  pidOf(name: string): number | null;
}

function openFolder(folder: string): Tools {
  mkdirSync(folder, { recursive: true });
  const account = chooseAccount(folder);
  // The account of Postgres must be able to enter.
  chmodSync(folder, 0o711);
  const running = new Map<string, ChildProcess>();
  process.once('exit', () => {
    for (const child of running.values()) child.kill('SIGKILL');
    // Patroni leaves its Postgres running.
    for (const name of running.keys()) {
      for (const pid of processesIn(join(folder, name, 'data'), 'postgres'))
        process.kill(pid, 'SIGKILL');
    }
  });
  const place = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700, recursive: true });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  return {
    place,
    pidOf: (name) => running.get(name)?.pid ?? null,
    run(name, [program, ...parameters], env) {
      const log = openSync(join(folder, `${name}.log`), 'a', 0o600);
      const child = spawn(program, parameters, {
        ...(account ? { uid: account.uid, gid: account.gid } : {}),
        cwd: place(name),
        env: { PATH: programPath().join(':'), LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: folder, ...env },
        stdio: ['ignore', log, log],
      });
      closeSync(log);
      running.set(name, child);
    },
    async end(name) {
      const child = running.get(name);
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function startEtcd({ run, end, place, pidOf }: Tools): Promise<readonly WiredMember[]> {
  const ports: { number: number; client: number; peer: number }[] = [];
  for (const number of NODES)
    ports.push({ number, client: await freePort(), peer: await freePort() });
  const all = ports.map(({ number, peer }) => `etcd${number}=http://127.0.0.1:${peer}`).join(',');
  const members = ports.map(async ({ number, client, peer }) => {
    const name = `etcd${number}`;
    const environment = {
      ETCD_NAME: name,
      ETCD_DATA_DIR: join(place(name), 'etcd'),
      ETCD_LISTEN_CLIENT_URLS: `http://127.0.0.1:${client}`,
      ETCD_ADVERTISE_CLIENT_URLS: `http://127.0.0.1:${client}`,
      ETCD_LISTEN_PEER_URLS: `http://127.0.0.1:${peer}`,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://127.0.0.1:${peer}`,
      ETCD_INITIAL_CLUSTER: all,
      ETCD_INITIAL_CLUSTER_STATE: 'new',
      // For Patroni 3.0, see docker/cluster/patroni.yml.
      ETCD_ENABLE_V2: 'true',
      ETCD_HEARTBEAT_INTERVAL: '200',
      ETCD_ELECTION_TIMEOUT: '2000',
    };
    const start = () => run(name, ['etcd'], environment);
    start();
    const wire = await layWire(`http://127.0.0.1:${client}`);
    const signal = (what: NodeJS.Signals) => {
      const pid = pidOf(name);
      if (pid !== null && isAlive(pid)) process.kill(pid, what);
    };
    return {
      ...{ name, clientPort: client, patroniPort: Number(new URL(wire.url).port), start },
      kill: () => end(name),
      pause: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
      cut: wire.hold,
      restore: wire.restore,
      close: wire.cut,
    };
  });
  return Promise.all(members);
}

interface RunningNode extends ClusterNode {
  /** Host and port through its wire. */
  readonly address: string;
  readonly api: string;
  close(): Promise<void>;
}

interface Parts extends Tools {
  readonly members: readonly WiredMember[];
  /** Passwords. */
  readonly superuser: string;
  readonly login: string;
  readonly extra: Extra;
}

async function startNode(
  number: (typeof NODES)[number],
  { members, superuser, login, extra, run, end, place, pidOf }: Parts,
): Promise<RunningNode> {
  const name = `node${number}`;
  const [port, apiPort] = [await freePort(), await freePort()];
  const wireTo = (to: number) => layWire(`http://127.0.0.1:${to}`);
  const [postgres, api] = [await wireTo(port), await wireTo(apiPort)];
  const toEtcd = await Promise.all(members.map(({ patroniPort }) => wireTo(patroniPort)));
  const wires = [postgres, api, ...toEtcd];
  const hostOf = (wire: Wire) => new URL(wire.url).host;
  const folder = place(name);
  const data = join(folder, 'data');
  const url = `postgres://${SUPERUSER}:${superuser}@127.0.0.1:${port}/${LOGIN}`;
  const file = join(folder, 'patroni.yml');
  const settings = extra.settings.replace(/^(\w+) = /gm, '    $1: ');
  copyFileSync(join(FILES, LOGIN_FILE), join(folder, LOGIN_FILE));
  const patroni = readFileSync(join(FILES, 'patroni.yml'), 'utf8')
    .replace(SOCKETS, folder)
    .replace(`/etc/reelbook/${LOGIN_FILE}`, join(folder, LOGIN_FILE));
  writeFileSync(file, patroni + settings);
  const environment = {
    PATRONI_NAME: name,
    PATRONI_ETCD_HOSTS: toEtcd.map((wire) => `'${hostOf(wire)}'`).join(','),
    // Otherwise Patroni learns the members' own addresses, past the wires.
    PATRONI_ETCD_USE_PROXIES: 'true',
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${apiPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: hostOf(api),
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: hostOf(postgres),
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_BIN_DIR: POSTGRES_BIN,
    PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: SUPERUSER,
    PATRONI_SUPERUSER_PASSWORD: superuser,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: superuser,
    REELBOOK_PASSWORD: login,
    ...extra.environment({ folder, url }),
  };
  const start = () => run(name, ['patroni', file], environment);
  const signalAll = (what: NodeJS.Signals) => {
    for (const pid of [pidOf(name), ...processesIn(data, 'postgres')]) {
      if (pid !== null && isAlive(pid)) process.kill(pid, what);
    }
  };
  start();
  return {
    name,
    address: hostOf(postgres),
    api: `http://${hostOf(api)}`,
    url,
    folder,
    control: (words, input = '') => patronictl(['-c', file, ...words], environment, input),
    crash() {
      const pid = Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10);
      process.kill(pid, 'SIGKILL');
    },
    async lose() {
      await end(name);
      while (processesIn(data, 'postgres').length > 0) {
        signalAll('SIGKILL');
        await sleep(LOOK_EVERY_MS);
      }
    },
    start,
    async switchOver() {
      const body = JSON.stringify({ leader: name });
      const response = await fetch(`http://${hostOf(api)}/switchover`, { method: 'POST', body });
      if (!response.ok) throw new Error(`switchover: ${await response.text()}`);
    },
    pause: () => signalAll('SIGSTOP'),
    pausePatroni() {
      const pid = pidOf(name);
      if (pid !== null) process.kill(pid, 'SIGSTOP');
    },
    resume: () => signalAll('SIGCONT'),
    cut() {
      for (const wire of wires) wire.hold();
    },
    async restore() {
      await Promise.all(wires.map((wire) => wire.restore()));
    },
    async close() {
      await Promise.all(wires.map((wire) => wire.cut()));
    },
  };
}

async function patronictl(words: readonly string[], environment: object, input: string) {
  const env = { PATH: programPath().join(':'), LC_ALL: 'C.UTF-8', ...environment };
  const child = spawn('patronictl', words, { env });
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([
    ...[text(child.stdout), text(child.stderr)],
    once(child, 'exit'),
  ] as const);
  if (code !== 0) throw new Error(`patronictl: ${output}${errors}`);
  return output;
}

async function fetchJson<T>(url: string, body?: string, method = body ? 'POST' : 'GET') {
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await fetch(url, { method, signal, ...(body === undefined ? {} : { body }) });
    return response.ok ? ((await response.json()) as T) : null;
  } catch {
    return null;
  }
}

interface Patroni {
  readonly state: string;
  readonly sync_standby?: boolean;
  readonly timeline?: number;
}

/** By `/primary`, which is 200 only for the holder of the lock. */
async function findLeader(
  nodes: readonly RunningNode[],
  not?: ClusterNode,
): Promise<RunningNode | null> {
  const candidates = nodes.filter(({ name }) => name !== not?.name);
  const states = await Promise.all(
    candidates.map(({ api }) => fetchJson<Patroni>(`${api}/primary`)),
  );
  return candidates.find((_, index) => states[index] !== null) ?? null;
}

async function findComplete(nodes: readonly RunningNode[]): Promise<ClusterNode | null> {
  const [leader, ...states] = await Promise.all([
    findLeader(nodes),
    ...nodes.map(({ api }) => fetchJson<Patroni>(`${api}/patroni`)),
  ]);
  const isRunning = states.every((one) => one?.state === 'running');
  const timelines = new Set(states.map((one) => one?.timeline));
  const hasStandby = states.some((one) => one?.sync_standby === true);
  return leader && isRunning && timelines.size === 1 && hasStandby ? leader : null;
}

async function findEtcdLeader(members: readonly Member[]): Promise<Member | null> {
  const states = await Promise.all(
    members.map(({ clientPort }) =>
      fetchJson<{ leader: string; header: { member_id: string } }>(
        `http://127.0.0.1:${clientPort}/v3/maintenance/status`,
        '{}',
      ),
    ),
  );
  const leads = (one: (typeof states)[number] | undefined) =>
    one !== null && one !== undefined && one.leader === one.header.member_id;
  return members.find((_, index) => leads(states[index])) ?? null;
}

/** Throws when there is none in time. */
export async function until<T>(what: string, find: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    const found = await find();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error(`${what}: not in time`);
    await sleep(LOOK_EVERY_MS);
  }
}
