/** `npm start`: all services in one process, on a machine with only Node. */
import { addAuditor } from '@reelbook/auditor/part';
import { addCashier } from '@reelbook/cashier/part';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { connectNats } from '@reelbook/event-store/bus/nats';
import type { Role } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { addPool } from '@reelbook/event-store/service-pool';
import { startGateway } from '@reelbook/gateway/gateway';
import { checksOf } from '@reelbook/gateway/status';
import { addProjector } from '@reelbook/projector/part';
import { addPublisher } from '@reelbook/publisher/part';
import { adminPortOf } from '@reelbook/runtime/admin-settings';
import { findAuditedChain, keepKeys, seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { endWithParent } from '@reelbook/runtime/lifecycle';
import { withoutSecrets } from '@reelbook/runtime/log';
import { type Service, startService } from '@reelbook/runtime/service';
import { isRunByNpm } from '@reelbook/runtime/settings';
import { bannerText, printLine } from './banner.ts';
import { openStandaloneChain } from './chain.ts';
import { startOwnConsole } from './console.ts';
import { openLedger } from './database.ts';
import { lockDataFolder } from './lock.ts';
import { prepareApp } from './player-app.ts';
import { assertPortFree, portTaken } from './port.ts';
import { openTreasury } from './treasury.ts';

export async function startStandalone(): Promise<void> {
  // The log is on a terminal: without LOG_LEVEL it shows only warnings and errors.
  await startService({ name: 'reelbook', level: 'warn', start });
}

async function start(service: Service): Promise<void> {
  const { settings } = service;
  const { host, port, publicOrigin, gameTickMs, homeFigures } = settings;
  const { trustProxy, firstLoginsPerHour, freeActsPerDay, chainReadsPerMinute } = settings;
  // First: a process that is closing still holds the port.
  const lock = await lockDataFolder(settings.dataDir, printLine);
  service.onClose('lock', lock.release);
  if (isRunByNpm()) endWithParent(service);
  await assertPortFree({ host, port, name: 'PORT' });
  const adminPort = adminPortOf(settings);
  await assertPortFree({ host, port: adminPort, name: 'ADMIN_PORT' });
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
  const bus = natsUrl
    ? await connectNats({ url: natsUrl, log: service.log })
    : createInProcessBus();
  service.onClose('bus', () => bus.close());
  const nudge = () => bus.nudge();

  addPublisher(part(service, 'publisher'), { pool: pool('app', 'publisher'), bus });
  await addProjector(part(service, 'projector'), {
    ...{ pool: pool('projector', 'projector'), bus, names: null },
  });
  addAuditor(part(service, 'auditor'), { pool: pool('app', 'auditor-seals'), onSealed: nudge });
  const localChain = chain.gateway.local !== null;
  addCashier(part(service, 'cashier'), {
    ...{ pool: pool('app', 'cashier'), chain: chain.gateway.chain, signer: chain.treasury },
    // A local chain has only one node.
    ...{ localChain, witnesses: localChain ? 1 : 2, onAppended: nudge },
  });
  const gatewayPool = pool('app', 'gateway');
  if (localChain) await openOwnTreasury(gatewayPool);
  const gateway = await startGateway({
    ...{ chain: chain.gateway, pool: gatewayPool, bus, log: part(service, 'gateway').log },
    settings: {
      ...{ host, port, publicOrigin, gameTickMs, homeFigures, ...ownKeys },
      ...{ localChain, webRoot, trustProxy, firstLoginsPerHour },
      ...{ freeActsPerDay, chainReadsPerMinute },
    },
  }).catch((error: unknown) => {
    throw portTaken(error, { host, port, name: 'PORT' });
  });
  service.add('gateway', { ...gateway, checks: checksOf({ pool: gatewayPool, bus }) });
  const console = await startOwnConsole(part(service, 'admin'), {
    ...{ pool: pool('app', 'admin'), bus, localChain, dataDir: settings.dataDir },
    ...{ host, port: adminPort, webRoot: adminWebRoot, databaseUrl: ledger.url, ...ownKeys },
    ...{ trustProxy, chain: findAuditedChain(settings), consoleOrigin: settings.consoleOrigin },
  });
  service.onReady((statusUrl) => {
    started = true;
    process.stdout.write(
      bannerText({
        ...{ url: gateway.url, console, statusUrl, dataDir: settings.dataDir, localChain },
        ...{ ledgerWhere: ledger.where, chainWhere: chain.where },
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
