/** Entry point of the operators' console process. */
import { openServiceBus } from '@reelbook/event-store/bus/nats';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { openServicePool } from '@reelbook/event-store/service-pool';
import { addStandby } from '@reelbook/http/standby';
import { projections } from '@reelbook/projections/all';
import { adminPortOf } from '@reelbook/runtime/admin-settings';
import { findAuditedChain, seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { startService } from '@reelbook/runtime/service';
import { startAdmin } from './admin.ts';

await startService({
  name: 'admin',
  settings: ['databaseUrl', 'natsUrl', 'sessionKey'],
  async start(service) {
    const { log, settings } = service;
    const { host, sessionKey, seedKey: key } = settings;
    const pool = await openServicePool(service, { role: 'app', name: 'admin' });
    const standby = addStandby(service, { leader: pool, name: 'admin', followers: projections });
    const bus = await openServiceBus(service, { pool, optional: true, showsLoss: true });
    const admin = await startAdmin({
      pool,
      standby,
      bus,
      log,
      signKey: settings.receiptKey,
      work: { databaseUrl: settings.databaseUrl, chain: findAuditedChain(settings) },
      // Without the key, unrevealed rounds are not recomputed, and audits run in public mode.
      vault: key && openSeedVault({ pool, key, keyId: seedKeyIdOf(settings, key) }),
      settings: {
        host,
        port: adminPortOf(settings),
        sessionKey,
        localChain: settings.solanaRpcUrl === null,
        consoleOrigin: settings.consoleOrigin,
        webRoot: settings.adminWebRoot,
        trustProxy: settings.trustProxy,
      },
    });
    service.add('console', admin);
  },
});
