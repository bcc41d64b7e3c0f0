/** Entry point of the gateway process. */
import { openServiceBus } from '@reelbook/event-store/bus/nats';
import { retryWhileUnavailable } from '@reelbook/event-store/db';
import { openServicePool, patienceOf } from '@reelbook/event-store/service-pool';
import { addStandby } from '@reelbook/http/standby';
import { projections } from '@reelbook/projections/all';
import { chainOf } from '@reelbook/runtime/chain-settings';
import { seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { StartError } from '@reelbook/runtime/lifecycle';
import { startService } from '@reelbook/runtime/service';
import { openRealChain } from './chain.ts';
import { startGateway } from './gateway.ts';

await startService({
  name: 'gateway',
  settings: ['databaseUrl', 'natsUrl', 'seedKey', 'sessionKey', 'receiptKey'],
  async start(service) {
    const { log, settings } = service;
    const { host, port, seedKey, sessionKey, receiptKey, gameTickMs, webRoot } = settings;
    const pool = await openServicePool(service, { role: 'app', name: 'gateway' });
    const standby = addStandby(service, { leader: pool, name: 'gateway', followers: projections });
    const bus = await openServiceBus(service, { pool, optional: true });
    const realChain = chainOf(settings);
    assertOneMoney(realChain !== null, settings.playMoney === 'yes');
    const chain = realChain && (await openRealChain(realChain, log));
    const deps = {
      chain,
      pool,
      standby,
      bus,
      log,
      settings: {
        host,
        port,
        seedKey,
        sessionKey,
        receiptKey,
        gameTickMs,
        webRoot,
        seedKeyId: seedKeyIdOf(settings, seedKey),
        localChain: chain === null,
        homeFigures: settings.homeFigures,
        publicOrigin: settings.publicOrigin,
        trustProxy: settings.trustProxy,
        firstLoginsPerHour: settings.firstLoginsPerHour,
        freeActsPerDay: settings.freeActsPerDay,
        chainReadsPerMinute: settings.chainReadsPerMinute,
      },
    };
    const gateway = await retryWhileUnavailable(() => startGateway(deps), patienceOf(service));
    service.add('gateway', gateway);
  },
});

/** Play money must be requested explicitly, never by a missing setting. */
function assertOneMoney(hasChain: boolean, playMoney: boolean): void {
  if (hasChain !== playMoney) return;
  throw new StartError(
    hasChain
      ? 'PLAY_MONEY=yes and SOLANA_RPC_URL are both set: a ledger has either play money or real money.'
      : 'Set SOLANA_RPC_URL, or PLAY_MONEY=yes for a ledger with play money.',
  );
}
