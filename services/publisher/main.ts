/** The process of the publisher. */
import { openServiceBus } from '@reelbook/event-store/bus/nats';
import { openServicePool } from '@reelbook/event-store/service-pool';
import { startService } from '@reelbook/runtime/service';
import { addPublisher } from './publisher.ts';

await startService({
  name: 'publisher',
  settings: ['databaseUrl', 'natsUrl'],
  async start(service) {
    const pool = await openServicePool(service, { role: 'app', name: 'publisher' });
    addPublisher(service, { pool, bus: await openServiceBus(service, { pool }) });
  },
});
