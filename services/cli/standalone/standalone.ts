import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addAuditor } from '@reelbook/auditor/start';
import { addCashier } from '@reelbook/cashier/start';
import type { Bus } from '@reelbook/event-store/bus/bus';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { openPool, type Role } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { readEpoch } from '@reelbook/event-store/known-head';
import { addPool } from '@reelbook/event-store/service-pool';
import { checksOf } from '@reelbook/gateway/app';
import { startGateway } from '@reelbook/gateway/gateway';
import { migrateAll } from '@reelbook/projections/all';
import { addProjector } from '@reelbook/projector/projector';
import { addPublisher } from '@reelbook/publisher/publisher';
import { adminPortOf } from '@reelbook/runtime/admin-settings';
import {
  DATABASE_URL_FILE,
  findAuditedChain,
  keepKeys,
  seedKeyIdOf,
} from '@reelbook/runtime/data-folder';
import { keepRunning } from '@reelbook/runtime/keep-running';
import { endWithParent, type Lifecycle, StartError } from '@reelbook/runtime/lifecycle';
import { type Logger, withoutSecrets } from '@reelbook/runtime/log';
import { startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';
import { type Service, startService } from '@reelbook/runtime/service';
import { isRunByNpm, type Settings } from '@reelbook/runtime/settings';
import { bannerText, type PrintLine, printLine } from './banner.ts';
import { openStandaloneChain, openTreasury } from './chain.ts';
import { assertPortFree, portTaken, startOwnConsole } from './console.ts';
import { lockDataFolder } from './lock.ts';
import { prepareApp } from './player-app.ts';

const DATABASE = 'reelbook';
/** Ends and failed starts of Postgres in a row. Nothing works without the ledger, so the process then ends. */
const FAILURES_MAX = 6;

/** The migrated Postgres of the ledger: DATABASE_URL, else an embedded one in DATA_DIR. The banner shows `where`. */
async function openLedger(
  settings: Settings,
  life: Lifecycle,
  log: Logger,
  printLine: PrintLine,
): Promise<{ url: string; where: string }> {
  const ledger = settings.databaseUrl
    ? { url: settings.databaseUrl, where: withoutSecrets(settings.databaseUrl) }
    : await startOwn(settings, life, log, printLine);
  const pool = openPool({ url: ledger.url, role: 'owner', max: 1, name: 'migrate' });
  try {
    const applied = await migrateAll(pool);
    if (applied.length > 0) printLine(`migrated the ledger: ${applied.join(', ')}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The ledger at ${ledger.where} cannot be used: ${reason}`);
  } finally {
    await pool.end();
  }
  return ledger;
}

async function startOwn(settings: Settings, life: Lifecycle, log: Logger, printLine: PrintLine) {
  const { dataDir } = settings;
  const folder = join(dataDir, 'postgres');
  const postgres = await startEmbeddedPostgres({ folder, durable: true, onProgress: printLine });
  const url = new URL(postgres.url);
  // On the same port, so that all pools reconnect.
  const port = Number(url.port);
  const kept = keepRunning(postgres, {
    name: 'Postgres',
    log,
    signal: life.signal,
    start: () => startEmbeddedPostgres({ folder, durable: true, port }),
    giveUp: {
      failuresMax: FAILURES_MAX,
      act(reason) {
        life.fail(
          new Error(`Postgres failed ${FAILURES_MAX} times in a row and stays down: ${reason}`),
        );
      },
    },
  });
  life.onClose('postgres', () => kept.close());
  await createMissing(postgres.url);
  url.pathname = `/${DATABASE}`;
  const file = join(dataDir, DATABASE_URL_FILE);
  rmSync(file, { force: true });
  writeFileSync(file, url.href, { mode: 0o600 });
  const account = postgres.account ? `, run as ${postgres.account}` : '';
  return { url: url.href, where: `${folder} (Postgres on port ${url.port}${account})` };
}

async function createMissing(url: string): Promise<void> {
  const pool = openPool({ url, role: 'owner', max: 1, name: 'create' });
  try {
    const found = await pool.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await pool.query(`create database ${DATABASE}`);
  } finally {
    await pool.end();
  }
}

/** `npm start`: all services in one process, on a machine with only Node. */

export async function startStandalone(): Promise<void> {
  // The log is on a terminal: without LOG_LEVEL it shows only warnings and errors.
  await startService({ name: 'reelbook', level: 'warn', start });
}

function gatewaySettings(settings: Settings) {
  const { host, port, publicOrigin, gameTickMs, homeFigures } = settings;
  const { trustProxy, firstLoginsPerHour, freeActsPerDay, chainReadsPerMinute } = settings;
  return {
    host,
    port,
    publicOrigin,
    gameTickMs,
    homeFigures,
    trustProxy,
    firstLoginsPerHour,
    freeActsPerDay,
    chainReadsPerMinute,
  };
}

async function openBus(service: Service, pool: ReturnType<typeof addPool>): Promise<Bus> {
  const { natsUrl } = service.settings;
  const bus = natsUrl
    ? await connectNats({ url: natsUrl, log: service.log, epoch: await readEpoch(pool) })
    : createInProcessBus();
  service.onClose('bus', () => bus.close());
  return bus;
}

/** The data folder and both ports; @returns the port of the console. */
async function claim(service: Service): Promise<number> {
  const { settings } = service;
  const { host, port } = settings;
  // First: a process that is closing still holds the port.
  const lock = await lockDataFolder(settings.dataDir, printLine);
  service.onClose('lock', lock.release);
  if (isRunByNpm()) endWithParent(service);
  await assertPortFree({ host, port, name: 'PORT' });
  const adminPort = adminPortOf(settings);
  await assertPortFree({ host, port: adminPort, name: 'ADMIN_PORT' });
  return adminPort;
}

async function start(service: Service): Promise<void> {
  const { settings } = service;
  const { host, port } = settings;
  const adminPort = await claim(service);
  let started = false;
  service.onClose('notice', () => {
    if (started) printLine('stopped; all data are kept');
  });
  const keys = keepKeys(settings);
  const ownKeys = { ...keys, seedKeyId: seedKeyIdOf(settings, keys.seedKey) };
  const webRoot = await prepareApp('web-player', printLine);
  const adminWebRoot = await prepareApp('web-admin', printLine);
  // Concurrently: Postgres waits for the disk while the chain uses the processor.
  const [ledger, chain] = await Promise.all([
    openLedger(settings, service, part(service, 'postgres').log, printLine),
    openStandaloneChain(settings, service, part(service, 'chain').log),
  ]);
  const pool = (role: Role, name: string) => addPool(service, { url: ledger.url, role, name });
  const { natsUrl } = settings;
  const publisherPool = pool('app', 'publisher');
  const bus = await openBus(service, publisherPool);
  const nudge = () => bus.nudge();

  addPublisher(part(service, 'publisher'), { pool: publisherPool, bus });
  await addProjector(part(service, 'projector'), {
    pool: pool('projector', 'projector'),
    bus,
    names: null,
  });
  addAuditor(part(service, 'auditor'), { pool: pool('app', 'auditor-seals'), onSealed: nudge });
  const localChain = chain.gateway.local !== null;
  addCashier(part(service, 'cashier'), {
    pool: pool('app', 'cashier'),
    chain: chain.gateway.chain,
    signer: chain.treasury,
    bus: natsUrl === null ? null : bus,
    // A local chain has only one node.
    localChain,
    witnesses: localChain ? 1 : 2,
    onAppended: nudge,
  });
  const gatewayPool = pool('app', 'gateway');
  if (localChain) await openOwnTreasury(gatewayPool);
  const gateway = await startGateway({
    chain: chain.gateway,
    pool: gatewayPool,
    bus,
    log: part(service, 'gateway').log,
    settings: { ...gatewaySettings(settings), ...ownKeys, localChain, webRoot },
  }).catch((error: unknown) => {
    throw portTaken(error, { host, port, name: 'PORT' });
  });
  service.add('gateway', { ...gateway, checks: checksOf({ pool: gatewayPool, bus }) });
  const console = await startOwnConsole(part(service, 'admin'), {
    pool: pool('app', 'admin'),
    bus,
    localChain,
    dataDir: settings.dataDir,
    host,
    port: adminPort,
    webRoot: adminWebRoot,
    databaseUrl: ledger.url,
    ...ownKeys,
    trustProxy: settings.trustProxy,
    chain: findAuditedChain(settings),
    consoleOrigin: settings.consoleOrigin,
  });
  service.onReady((statusUrl) => {
    started = true;
    process.stdout.write(
      bannerText({
        url: gateway.url,
        console,
        statusUrl,
        dataDir: settings.dataDir,
        localChain,
        ledgerWhere: ledger.where,
        chainWhere: chain.where,
        busWhere: natsUrl ? withoutSecrets(natsUrl) : 'in this process',
      }),
    );
  });
}

/** The service with a log that names the part. */
function part(service: Service, name: string): Service {
  return { ...service, log: service.log.child({ part: name }) };
}

async function openOwnTreasury(pool: ReturnType<typeof addPool>): Promise<void> {
  const executor = startExecutor({ pool });
  await openTreasury(executor);
  await executor.close();
}
