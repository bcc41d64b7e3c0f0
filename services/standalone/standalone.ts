/** All of Reelbook in one process, on a machine with only Node. */
import { startAuditor } from '@reelbook/auditor/start';
import type { Bus } from '@reelbook/bus/bus';
import { type RunningCashier, startCashier } from '@reelbook/cashier/start';
import { openPool, type Role } from '@reelbook/event-store/db';
import { startSpine } from '@reelbook/event-store/execute';
import { startGateway } from '@reelbook/gateway/gateway';
import { startProjector, testLagOf } from '@reelbook/projector/projector';
import { startPublisher } from '@reelbook/publisher/publisher';
import { adminPortOf } from '@reelbook/runtime/admin-settings';
import { findAuditedChain, keepKeys, seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { endWithParent, type Lifecycle, runProcess } from '@reelbook/runtime/lifecycle';
import { type Logger, openLog } from '@reelbook/runtime/log';
import { anchorEveryMsOf, sealTermsOf } from '@reelbook/runtime/sealing';
import { isRunByNpm, type Settings } from '@reelbook/runtime/settings';
import { cashierLagMs, publisherLagMs } from '@reelbook/runtime/test-lag';
import { bannerText, say } from './banner.ts';
import { openStandaloneChain, type StandaloneChain } from './chain.ts';
import { startOwnConsole } from './console.ts';
import { openCourier } from './courier.ts';
import { openBook } from './database.ts';
import { lockDataFolder } from './lock.ts';
import { prepareApp } from './player-app.ts';
import { assertPortFree, portTaken } from './port.ts';
import { openOwnStatus } from './status.ts';
import { openTreasury } from './treasury.ts';

export async function startStandalone(settings: Settings): Promise<void> {
  const { host, port, gameTickMs, homeFigures } = settings;
  // People read this terminal: without LOG_LEVEL only what they should act on is shown.
  const log = openLog({ name: 'reelbook', level: settings.logLevel ?? 'warn' });
  await runProcess(log, async (life) => {
    // First: one that is just ending holds the port as well.
    const lock = await lockDataFolder(settings.dataDir, say);
    life.onClose('lock', lock.release);
    if (isRunByNpm()) endWithParent(life);
    await assertPortFree({ host, port, name: 'PORT' });
    const adminPort = adminPortOf(settings);
    await assertPortFree({ host, port: adminPort, name: 'ADMIN_PORT' });
    let started = false;
    life.onClose('notice', () => {
      if (started) say('stopped; the data stay, `npm start` goes on from here');
    });
    const keys = keepKeys(settings);
    const ownKeys = { ...keys, seedKeyId: seedKeyIdOf(settings, keys.seedKey) };
    const webRoot = await prepareApp('web-player', say);
    const adminWebRoot = await prepareApp('web-admin', say);
    // The chain starts while Postgres does: it costs the processor what the other waits for.
    const [book, chain] = await Promise.all([
      openBook(settings, life, say),
      openStandaloneChain(settings, life, log.child({ part: 'chain' })),
    ]);
    const pool = (role: Role, name: string) =>
      openOwnPool(life, book.url, role, name, settings.poolMax);
    const courier = await openCourier(settings, life, log, say);
    const bus = courier.bus;

    const followers = await startFollowers(life, { pool, bus, log, settings });
    const localChain = chain.gateway.local !== null;
    const cashier = startOwnCashier(life, {
      pool: pool('app', 'cashier'),
      ...{ chain, bus, log, settings },
    });
    const gatewayPool = pool('app', 'gateway');
    if (localChain) await openOwnTreasury(gatewayPool);
    const gateway = await startGateway({
      chain: chain.gateway,
      pool: gatewayPool,
      bus,
      log: log.child({ part: 'gateway' }),
      settings: {
        ...{ host, port, gameTickMs, homeFigures, ...ownKeys },
        localChain,
        webRoot,
      },
    }).catch((error: unknown) => {
      throw portTaken(error, { host, port, name: 'PORT' });
    });
    life.onClose('gateway', gateway.close);
    const console = await startOwnConsole(life, {
      ...{ pool: pool('app', 'admin'), bus, log: log.child({ part: 'admin' }), localChain },
      ...{ host, port: adminPort, webRoot: adminWebRoot, databaseUrl: book.url, ...ownKeys },
      chain: findAuditedChain(settings),
    });
    const parts = { gateway, console, cashier, ...followers };
    const statusUrl = await openOwnStatus(life, {
      ...{ log, settings, pool: gatewayPool, bus, parts },
      chain: chain.gateway.chain,
    });
    started = true;
    process.stdout.write(
      bannerText({
        url: gateway.url,
        console,
        statusUrl,
        dataDir: settings.dataDir,
        bookWhere: book.where,
        courierWhere: courier.where,
        chainWhere: chain.where,
        localChain,
      }),
    );
  });
}

/** All that follows the book of itself: it is carried on, projected and sealed. */
async function startFollowers(
  life: Lifecycle,
  o: {
    pool(role: Role, name: string): ReturnType<typeof openPool>;
    bus: Bus;
    log: Logger;
    settings: Settings;
  },
) {
  const { pool, bus, log } = o;
  const { testLag } = o.settings;
  const publisher = await startPublisher({
    pool: pool('app', 'publisher'),
    bus,
    log: log.child({ part: 'publisher' }),
    timing: { lagMs: publisherLagMs(testLag) },
  });
  life.onClose('publisher', publisher.close);
  const projector = await startProjector({
    pool: pool('projector', 'projector'),
    bus,
    log: log.child({ part: 'projector' }),
    timing: { lagMs: testLagOf(testLag) },
  });
  life.onClose('projector', projector.close);
  const auditor = startAuditor({
    pool: pool('app', 'auditor-seals'),
    log: log.child({ part: 'auditor' }),
    terms: sealTermsOf(o.settings),
    onSealed: () => bus.nudge(),
  });
  life.onClose('auditor', auditor.close);
  return { publisher, projector, auditor };
}

async function openOwnTreasury(pool: ReturnType<typeof openPool>): Promise<void> {
  const spine = startSpine({ pool });
  await openTreasury(spine);
  await spine.close();
}

function startOwnCashier(
  life: Lifecycle,
  o: {
    pool: ReturnType<typeof openPool>;
    chain: StandaloneChain;
    bus: Bus;
    log: Logger;
    settings: Settings;
  },
): RunningCashier {
  const { chain, bus, settings } = o;
  const cashier = startCashier({
    pool: o.pool,
    chain: chain.gateway.chain,
    signer: chain.treasury,
    log: o.log.child({ part: 'cashier' }),
    // Our own chain has no second node to ask.
    localChain: chain.gateway.local !== null,
    witnesses: chain.gateway.local ? 1 : 2,
    anchorEveryMs: anchorEveryMsOf(settings),
    lagMs: cashierLagMs(settings.testLag),
    onAppended: () => bus.nudge(),
  });
  life.onClose('cashier', cashier.close);
  return cashier;
}

function openOwnPool(life: Lifecycle, url: string, role: Role, name: string, max: number) {
  const pool = openPool({ url, role, max, name });
  life.onClose(`pool of the ${name}`, () => pool.end());
  return pool;
}
