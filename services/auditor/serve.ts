/** The process that seals the ledger. Any number may run. */
import { openServicePool } from '@reelbook/event-store/service-pool';
import { startService } from '@reelbook/runtime/service';
import { addAuditor } from './start.ts';

const POOL_MAX = 2;

await startService({
  name: 'auditor',
  settings: ['databaseUrl'],
  async start(service) {
    const options = { role: 'app', name: 'auditor-seals', max: POOL_MAX } as const;
    addAuditor(service, { pool: await openServicePool(service, options) });
  },
});
