/** Postgres and NATS in containers, by testcontainers: what the tests otherwise have from npm and from the PATH. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@reelbook/runtime/ports';
import pg from 'pg';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { greets } from './greets.ts';

/** As docker-compose.yml has them. */
const POSTGRES_IMAGE = 'postgres:18';
const NATS_IMAGE = 'nats:2.12';
const USER = 'reelbook';
const CONNECTIONS_MAX = 200;
const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 50;

export interface PostgresContainer {
  /** Logs in as the superuser, to the database `postgres`. */
  readonly url: string;
  /** Ends the server and all its connections as kill -9 does. */
  kill(): Promise<void>;
  /** Brings it back on the same port with the same data. Resolves when it answers. */
  start(): Promise<void>;
  /** Ends one process of the server as kill -9 does. */
  killProcess(pid: number): Promise<void>;
  stop(): Promise<void>;
}

/** On a port that stays the same. `durable: false` is quicker, and not safe against a power cut. */
export async function startPostgresContainer(o: { durable: boolean }): Promise<PostgresContainer> {
  const port = await freePort();
  const password = randomBytes(24).toString('hex');
  const settings = [
    `max_connections=${CONNECTIONS_MAX}`,
    ...(o.durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  const container = await new GenericContainer(POSTGRES_IMAGE)
    .withEnvironment({
      POSTGRES_USER: USER,
      POSTGRES_PASSWORD: password,
      POSTGRES_DB: 'postgres',
      POSTGRES_INITDB_ARGS: '--locale=C --locale-provider=builtin --builtin-locale=C.UTF-8',
    })
    .withCommand(['postgres', ...settings.flatMap((one) => ['-c', one])])
    .withExposedPorts({ container: 5432, host: port })
    // Over TCP: the server that the image runs while it initializes listens on its socket only.
    .withWaitStrategy(Wait.forSuccessfulCommand(`pg_isready -h 127.0.0.1 -U ${USER}`))
    .start();
  const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
  const engine = await handleOf(container.getId());
  return {
    url,
    kill: () => engine.kill(),
    async start() {
      await engine.start();
      await until(() => answers(url), `start of ${POSTGRES_IMAGE}`);
    },
    async killProcess(pid) {
      await container.exec(['bash', '-c', `kill -9 ${pid}`]);
    },
    stop: async () => void (await container.stop()),
  };
}

/** With JetStream on a disk of its own, on a port that stays the same. */
export async function startNatsContainer() {
  const port = await freePort();
  const launch = async () => {
    const container = await new GenericContainer(NATS_IMAGE)
      .withCommand(['--jetstream', '--store_dir', '/data'])
      .withExposedPorts({ container: 4222, host: port })
      .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
      .start();
    return { container, engine: await handleOf(container.getId()) };
  };
  let current = await launch();
  let emptied = false;
  return {
    url: `nats://127.0.0.1:${port}`,
    process: {
      pid: () => null,
      kill: () => current.engine.kill(),
      empty() {
        emptied = true;
      },
      async start() {
        if (emptied) {
          await current.container.stop();
          current = await launch();
          emptied = false;
        } else await current.engine.start();
        await until(() => greets(port, READY_TIMEOUT_MS), `start of ${NATS_IMAGE}`);
      },
    },
    stop: async () => void (await current.container.stop()),
  };
}

/** testcontainers itself only ends and restarts in order. Resolves when the engine has seen it dead. */
async function handleOf(id: string) {
  const { container: containers } = await getContainerRuntimeClient();
  const container = containers.getById(id);
  return {
    async kill() {
      await container.kill();
      await until(async () => !(await container.inspect()).State.Running, `kill ${id}`);
    },
    start: async () => void (await container.start()),
  };
}

async function until(ready: () => Promise<boolean>, name: string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await ready())) {
    if (Date.now() > deadline) throw new Error(`${name}: not done in time`);
    await sleep(READY_POLL_MS);
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
