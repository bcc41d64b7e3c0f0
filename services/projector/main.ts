/** The process of the projector. */
import { openServiceBus } from '@reelbook/event-store/bus/nats';
import { openServicePool } from '@reelbook/event-store/service-pool';
import { startService } from '@reelbook/runtime/service';
import { addProjector } from './projector.ts';

await startService({
  name: 'projector',
  settings: ['databaseUrl', 'natsUrl'],
  async start(service) {
    const pool = await openServicePool(service, { role: 'projector', name: 'projector' });
    const bus = await openServiceBus(service, { pool, optional: true });
    await addProjector(service, { pool, bus, names: service.settings.projections });
  },
});
