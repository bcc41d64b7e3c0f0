import {
  measureStatus,
  observeCounter,
  openMetrics,
  type Registry,
} from '@reelbook/runtime/metrics';
import type { PublisherStatus } from './publisher.ts';

/** The publisher's metrics, read on request. */
export function measurePublisher(status: () => PublisherStatus): Registry {
  const registry = openMetrics('publisher');
  measureStatus(registry, 'publisher', {
    status,
    figures: {
      leader: ['1 while this process holds the lease', ({ acting }) => acting],
      position: ['Last position known to be stored', ({ position }) => position],
      foreign_stream: [
        '1 while the stream has events that the ledger does not have, and nothing is published until an operator decides (`npm run reelbook -- stream`)',
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
