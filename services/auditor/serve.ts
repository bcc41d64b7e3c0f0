/** The process that seals the ledger. Any number may run. */
import { openServiceBus } from '@reelbook/event-store/bus/nats';
import { openServicePool } from '@reelbook/event-store/service-pool';
import { startService } from '@reelbook/runtime/service';
import { addAuditor } from './start.ts';

const POOL_MAX = 2;

await startService({
  name: 'auditor',
  settings: ['databaseUrl'],
  async start(service) {
    const options = { role: 'app', name: 'auditor-seals', max: POOL_MAX } as const;
    const pool = await openServicePool(service, options);
    const { natsUrl } = service.settings;
    // Its end shows whether the ledger went back: what was lost is not sealed again.
    if (natsUrl !== null)
      await openServiceBus({ ...service, settings: { natsUrl } }, { pool, optional: true });
    addAuditor(service, { pool });
  },
});
