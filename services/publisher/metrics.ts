import {
  measureStatus,
  measureWorker,
  openMetrics,
  type Registry,
} from '@reelbook/runtime/metrics';
import type { PublisherStatus } from './publisher.ts';

/** What the publisher does, read when it is asked for. */
export function measurePublisher(status: () => PublisherStatus): Registry {
  const registry = openMetrics('publisher');
  measureWorker(registry, 'publisher', status, '1 while it cannot publish');
  measureStatus(registry, 'publisher', {
    status,
    figures: {
      position: ['Last position known to be stored', ({ position }) => position],
      published: ['Commands handed over since its start', ({ published }) => published],
      rewinds: ['Times that it went back to what is stored', ({ rewinds }) => rewinds],
      foreign_stream: [
        '1 while the stream holds events that the ledger does not have, and nothing is published until an operator has decided (`npm run stream`): alert above 0',
        ({ foreignStream }) => foreignStream,
      ],
    },
  });
  return registry;
}
