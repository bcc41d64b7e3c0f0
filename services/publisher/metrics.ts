import {
  measureStatus,
  measureWorker,
  observeCounter,
  openMetrics,
  type Registry,
} from '@reelbook/runtime/metrics';
import type { PublisherStatus } from './publisher.ts';

/** The publisher's metrics, read on request. */
export function measurePublisher(status: () => PublisherStatus): Registry {
  const registry = openMetrics('publisher');
  measureWorker(registry, 'publisher', status, '1 while it cannot publish');
  measureStatus(registry, 'publisher', {
    status,
    figures: {
      position: ['Last position known to be stored', ({ position }) => position],
      foreign_stream: [
        '1 while the stream has events that the ledger does not have, and nothing is published until an operator decides (`npm run reelbook -- stream`): alert above 0',
        ({ foreignStream }) => foreignStream,
      ],
    },
  });
  observeCounter(registry, {
    name: 'reelbook_publisher_published_commands_total',
    help: 'Commands published',
    read: () => status().published,
  });
  observeCounter(registry, {
    name: 'reelbook_publisher_rewinds_total',
    help: 'Restarts from the last position stored on the bus',
    read: () => status().rewinds,
  });
  return registry;
}
