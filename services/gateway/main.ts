/** The gateway as a process of its own. */
import { openServiceBus } from '@reelbook/event-store/bus/service-bus';
import { openServicePool } from '@reelbook/event-store/service-pool';
import { chainOf } from '@reelbook/runtime/chain-settings';
import { seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { StartError } from '@reelbook/runtime/lifecycle';
import { startService } from '@reelbook/runtime/service';
import { startGateway } from './gateway.ts';
import { openRealChain } from './real-chain.ts';

await startService({
  name: 'gateway',
  settings: ['databaseUrl', 'natsUrl', 'seedKey', 'sessionKey', 'receiptKey'],
  async start(service) {
    const { log, settings } = service;
    const { host, port, seedKey, sessionKey, receiptKey, gameTickMs, webRoot } = settings;
    const pool = await openServicePool(service, { role: 'app', name: 'gateway' });
    const bus = await openServiceBus(service, { optional: true });
    const outside = chainOf(settings);
    assertOneMoney(outside !== null, settings.playMoney === 'yes');
    const chain = outside && (await openRealChain(outside, log));
    const gateway = await startGateway({
      ...{ chain, pool, bus, log },
      settings: {
        ...{ host, port, seedKey, sessionKey, receiptKey, gameTickMs, webRoot },
        seedKeyId: seedKeyIdOf(settings, seedKey),
        localChain: chain === null,
        homeFigures: settings.homeFigures,
      },
    });
    service.add('gateway', gateway);
  },
});

/** Without a chain points are worth nothing, which is never so because a setting was forgotten. */
function assertOneMoney(hasChain: boolean, playMoney: boolean): void {
  if (hasChain !== playMoney) return;
  throw new StartError(
    hasChain
      ? 'PLAY_MONEY=yes is set beside SOLANA_RPC_URL: points of one ledger are play money or real.'
      : 'Set SOLANA_RPC_URL, or PLAY_MONEY=yes for a ledger whose points are worth nothing.',
  );
}
